import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-report.json" }]],
    projects: [
      {
        test: {
          name: "house",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          pool: "forks",
          testTimeout: 30_000,
          hookTimeout: 60_000
        }
      },
      {
        // Real processes, several to a test: on a busy machine each of them takes its second.
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          testTimeout: 180_000,
          hookTimeout: 60_000
        }
      }
    ]
  }
})
