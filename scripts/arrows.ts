/**
 * Checks the arrows of the house (CONTRIBUTING.md). A cruise that saw fewer modules than there are files checks
 * nothing, and says so.
 */
import { cruise } from "dependency-cruiser"
import { globSync, readFileSync } from "node:fs"

const { forbidden, options } = JSON.parse(readFileSync(".dependency-cruiser.json", "utf8"))
const { exitCode, output } = await cruise(["src"], {
  ...options,
  ruleSet: { forbidden },
  validate: true,
  outputType: "json"
})
const report = JSON.parse(String(output))
const seen = new Set(report.modules.map((module: { readonly source: string }) => module.source))
const files = globSync("src/**/*.ts")
const missing = files.filter((file) => !seen.has(file.replaceAll("\\", "/")))
for (const { from, rule, to } of report.summary.violations) console.error(`${rule.name}: ${from} -> ${to}`)
for (const file of missing) console.error(`not seen: ${file}`)
console.log(
  `arrows: ${files.length - missing.length} of ${files.length} modules seen, ${report.summary.violations.length} wrong`
)
if (exitCode !== 0 || report.summary.violations.length > 0 || missing.length > 0) process.exitCode = 1
