import { createServer } from "node:http"

/**
 * A model that says one thing, in the streams of three providers: OpenAI's responses, Anthropic's messages, Gemini's
 * generateContent. On loopback, at a port of its own.
 */
export const modelStub = async (text: string) => {
  let asked = 0
  const server = createServer((request, response) => {
    const path = request.url ?? ""
    request.resume()
    request.on("end", () => {
      if (process.env["CTX_HOSTS_KEEP"] !== undefined) console.log(`     ${request.method} ${path}`)
      const events = request.method === "POST" ? answer(path, text) : undefined
      if (events === undefined) {
        response.writeHead(404, { "content-type": "application/json" }).end("{}")
        return
      }
      asked += 1
      response.writeHead(200, { "content-type": events.type }).end(events.body)
    })
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", listening.resolve)
  await listening.promise
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

interface Typed {
  readonly type: string
  readonly [key: string]: unknown
}

const named = (events: ReadonlyArray<Typed>) => ({
  type: "text/event-stream",
  body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
})

const answer = (path: string, text: string) => {
  if (path.includes("/responses")) return named(responses(text))
  if (path.includes("/messages/count_tokens")) return { type: "application/json", body: '{"input_tokens":1}' }
  if (path.includes("/messages")) return named(messages(text))
  const chunk = {
    candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
  }
  if (path.includes(":streamGenerateContent")) {
    return { type: "text/event-stream", body: `data: ${JSON.stringify(chunk)}\n\n` }
  }
  if (path.includes(":generateContent")) return { type: "application/json", body: JSON.stringify(chunk) }
  if (path.includes(":countTokens")) return { type: "application/json", body: '{"totalTokens":1}' }
  return undefined
}

const responses = (text: string): ReadonlyArray<Typed> => {
  const item = { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text }] }
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2
  }
  return [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.done", item },
    { type: "response.completed", response: { id: "resp_1", usage } }
  ]
}

const messages = (text: string): ReadonlyArray<Typed> => {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "stub",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage
  }
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" }
  ]
}
