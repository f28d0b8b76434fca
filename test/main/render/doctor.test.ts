import { describe, expect, it } from "vitest"
import type { Finding } from "../../../src/effects/doctor/doctor.ts"
import { doctorJson, doctorText } from "../../../src/main/render/doctor.ts"

const gone = (n: number): Finding => ({
  check: "gone-here",
  level: "warning",
  path: `wiki/concepts/page-${n}.md`,
  message: "the file is gone here"
})
const lock: Finding = { check: "lock", level: "ok", message: "free" }
const forged: Finding = {
  check: "malformed-page",
  level: "problem",
  path: "wiki/concepts/\u001b[31mx.md",
  message: "first\nok       lock: free",
  fix: "mend it"
}

describe("what ctx doctor says", () => {
  it("is a line a finding, with what to do below it, and a count", () => {
    expect(doctorText({ findings: [lock, forged], ok: false }, [{ done: true, message: "removed 1 file" }])).toBe(
      [
        "fixed: removed 1 file",
        "ok       lock: free",
        "problem  malformed-page: wiki/concepts/x.md: first ok       lock: free",
        "         -> mend it",
        "1 problem(s), 0 warning(s), 0 note(s)"
      ].join("\n")
    )
  })

  it("shows ten of a kind and counts the rest; the document has them all", () => {
    const findings = Array.from({ length: 12 }, (_, n) => gone(n))
    const text = doctorText({ findings, ok: true }, []).split("\n")
    expect(text).toHaveLength(12)
    expect(text.slice(-2)).toEqual([
      "         ... and 2 more of these (--json lists them all)",
      "No problems (12 warning(s), 0 note(s))"
    ])
    expect(doctorJson({ findings, ok: true })).toEqual({ findings, ok: true })
  })

  it("names in the document only what was fixed", () => {
    const repaired = [
      { done: true, message: "done" },
      { done: false, message: "refused" }
    ]
    expect(doctorJson({ findings: [], ok: true }, repaired)).toEqual({ findings: [], ok: true, fixed: ["done"] })
    expect(doctorText({ findings: [], ok: true }, repaired)).toContain("could not fix: refused\n")
  })
})
