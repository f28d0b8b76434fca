import { describe, expect, it } from "vitest"
import { servingText } from "../../../src/main/render/serving.ts"

describe("what a server says when it is ready", () => {
  const ready = { url: "http://127.0.0.1:4848", data: "/srv/ctx" }

  it("is where it is, and on its first start the owner's token and how to use it", () => {
    expect(servingText({ ...ready, owner_token: null })).toBe("ctx server: http://127.0.0.1:4848\ndata:       /srv/ctx")
    expect(servingText({ ...ready, owner_token: "ctxp_x" })).toBe(
      [
        "ctx server: http://127.0.0.1:4848",
        "data:       /srv/ctx",
        "",
        "The owner's token, shown this once:",
        "  ctxp_x",
        "",
        "In a project:",
        "  ctx login --server http://127.0.0.1:4848 --token <token> --repo <name>"
      ].join("\n")
    )
  })
})
