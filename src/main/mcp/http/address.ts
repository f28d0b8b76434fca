import type { Address } from "../../server/nodeServer.ts"

/** Where `ctx-mcp --http` listens unless told otherwise. */
export const defaultAddress: Address = { host: "127.0.0.1", port: 4849 }
