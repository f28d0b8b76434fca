const octet = String.raw`(25[0-5]|2[0-4]\d|1?\d?\d)`
const loopback = new RegExp(String.raw`^(localhost|127(\.${octet}){3}|::1|\[::1\])$`, "i")

/**
 * Whether a host is this machine, and nobody else reaches it: `localhost`, 127.0.0.0/8 or ::1, the latter bracketed as in a
 * URL or not. Names below `.localhost` are left out: some resolvers ask the network for them.
 */
export const isLoopback = (host: string): boolean => loopback.test(host)
