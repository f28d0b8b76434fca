import { defineConfig } from "vitest/config"

const setupFiles = "test/support/setup.ts"

export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-report.json" }]],
    // The files of a worker share their modules: loading Effect anew for each of them took longer than the tests.
    pool: "forks",
    poolOptions: { forks: { isolate: false, minForks: 2, maxForks: 2 } },
    projects: [
      {
        extends: true,
        test: {
          name: "house",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          setupFiles,
          testTimeout: 30_000,
          hookTimeout: 60_000
        }
      },
      {
        extends: true,
        // Real processes, several to a test: on a busy machine each of them takes its second.
        test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], setupFiles, testTimeout: 180_000, hookTimeout: 60_000 }
      }
    ]
  }
})
