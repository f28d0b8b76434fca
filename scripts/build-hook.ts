import { rolldown, type OutputChunk } from "rolldown"

/** The capture hook as one small file that is required, not imported: it runs at every turn of every agent. */
export const buildHook = async (folder: string): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: { "hook-run": "src/main/hook/run.ts" },
    platform: "node",
    transform: { target: "node22" },
    onLog: (level, log, handler) => {
      if (level === "warn") throw new Error(log.message)
      handler(level, log)
    }
  })
  const { output } = await bundle.write({
    dir: folder,
    format: "cjs",
    entryFileNames: "[name].cjs",
    minify: true,
    comments: { legal: false }
  })
  await bundle.close()
  return output.filter((file) => file.type === "chunk")
}
