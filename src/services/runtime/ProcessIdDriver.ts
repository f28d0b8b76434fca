import { pid } from "node:process"

/** The number of this process, which tells its temporary files from another's. */
export const processId: number = pid
