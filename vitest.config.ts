import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A test that waits for another process fails by its own deadline, with its own words.
    teardownTimeout: 10_000,
    unstubEnvs: true,
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-report.json" }]]
  }
})
