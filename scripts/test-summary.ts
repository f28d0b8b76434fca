/** Prints the closing line of a test run from vitest's own report: what passed, what failed. */
import { readFileSync } from "node:fs"

const report = JSON.parse(readFileSync("node_modules/.cache/vitest-report.json", "utf8"))
// A file that failed to load has no tests to count.
const broken = report.testResults.filter(
  (file: { readonly status: string; readonly assertionResults: ReadonlyArray<unknown> }) =>
    file.status === "failed" && file.assertionResults.length === 0
).length
const skipped = report.numPendingTests + report.numTodoTests
if (skipped > 0) console.log(`${skipped} skipped`)
console.log(`${report.numPassedTests} passed, ${report.numFailedTests + broken} failed`)
if (report.numPassedTests === 0 || report.numFailedTests + broken > 0) process.exitCode = 1
