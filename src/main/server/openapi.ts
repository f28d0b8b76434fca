import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { maxBodyBytes } from "../../services/sync/SyncApi.ts"
import { Refuses, SyncHttpApi } from "../../services/sync/SyncHttpApi.ts"
import { version } from "../Build.ts"

/** The library's types, with what it leaves out. */
type Derived = OpenApi.OpenAPISpecOperation
interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: object }>>
}
export interface Operation extends Omit<Derived, "responses"> {
  readonly responses: Readonly<Record<number, Response>>
}
export interface Document extends Omit<OpenApi.OpenAPISpec, "paths"> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Endpoint {
  /** The contract's own path. */
  readonly path: string
  readonly refuses: ReadonlyArray<number>
}

/** The name that a page's path has in the document, where the contract has `*`. */
const wildcard = "path"

const description = `The v1 sync API. Every refusal is JSON, \`{"error", "code"?}\`.

A page's path is one parameter, such as \`wiki/concepts/auth.md\`; its slashes may be sent as they are or as \`%2F\`. Fields and routes may be added; none is taken away or changes its meaning within v1.`

/**
 * The OpenAPI 3.1 document of what this server answers, derived from the contract that it is built from, with what the
 * contract cannot say: which of the refusals an endpoint has, headers, and page paths by a readable name.
 */
export const openApiDocument = (): Document => {
  const derived = OpenApi.fromApi(SyncHttpApi, { additionalPropertiesStrategy: "allow" })
  const endpoints = endpointsOf()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [path, item] of Object.entries(derived.paths)) {
    const completed: Record<string, Operation> = {}
    for (const [method, operation] of Object.entries(item)) {
      completed[method] = complete(operation, endpoints.get(operation.operationId))
    }
    paths[path.replace("*", `{${wildcard}}`)] = completed
  }
  const { HttpApiDecodeError: _1, Issue: _2, PropertyKey: _3, ...schemas } = derived.components.schemas
  return {
    ...derived,
    info: { title: "ctx sync server", version, description },
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A token of this server (`ctxp_...`)" }
      }
    }
  }
}

let text: string | undefined

/** The document as it is served; made when it is first asked for. */
export const openApiText = (): string => (text ??= JSON.stringify(openApiDocument(), withoutIds))

/** "Anything" is derived as a schema with an id, wherever it occurs; ids have to be unique. */
const withoutIds = (key: string, value: unknown): unknown => (key === "$id" ? undefined : value)

const endpointsOf = (): ReadonlyMap<string, Endpoint> => {
  const endpoints = new Map<string, Endpoint>()
  HttpApi.reflect(SyncHttpApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const id = group.topLevel ? endpoint.name : `${group.identifier}.${endpoint.name}`
      const refuses = Option.getOrElse(Context.getOption(endpoint.annotations, Refuses), () => [])
      endpoints.set(id, { path: endpoint.path, refuses })
    }
  })
  return endpoints
}

const complete = (operation: Derived, endpoint: Endpoint | undefined): Operation => {
  const guarded = operation.security.length > 0
  const also = [...(guarded ? [401, 500] : []), ...(endpoint?.path === "/health" ? [] : [429])]
  const refuses = new Set([...(endpoint?.refuses ?? []), ...also])
  const responses: Record<number, Response> = {}
  for (const [key, response] of Object.entries(operation.responses)) {
    const status = Number(key)
    if (status < 400) responses[status] = { ...response, ...headers(status, endpoint) }
    else if (refuses.has(status)) responses[status] = { ...refusal(status, response), ...headers(status, endpoint) }
  }
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) =>
      parameter.name === "*"
        ? { ...parameter, name: wildcard, description: "The page's path, percent-encoded" }
        : parameter
    ),
    responses
  }
}

const meanings: Readonly<Record<number, string>> = {
  400: "The request cannot be meant: the sentence names what is wrong with which part",
  401: "No token, or none of this server",
  403: "The user may not do that here",
  404: "There is no such thing",
  409: "Somebody else was first, or the server does not know the history (`unknown_history`)",
  413: `The body is larger than ${maxBodyBytes} bytes`,
  415: "The body has a Content-Encoding",
  429: "Too many requests (`rate_limited`)",
  500: "The server could not do it; what was asked for did not happen"
}

const refusal = (status: number, response: OpenApi.OpenApiSpecResponse): Response => {
  const schema = response.content?.["application/json"]?.schema
  // The contract's own decoding errors are answered as any other refusal.
  const own = schema !== undefined && "anyOf" in schema ? schema.anyOf.filter((one) => !refersTo(one, decodeError)) : []
  return {
    description: meanings[status] ?? response.description,
    content: {
      "application/json": {
        schema: own.length > 1 ? { anyOf: own } : { $ref: "#/components/schemas/Error" }
      }
    }
  }
}

const decodeError = "#/components/schemas/HttpApiDecodeError"
const refersTo = (schema: object, ref: string): boolean => "$ref" in schema && schema.$ref === ref

const headers = (status: number, endpoint: Endpoint | undefined): Pick<Response, "headers"> => {
  if (status === 429) {
    return { headers: { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } } }
  }
  if (status === 200 && endpoint?.path === "/v1/repos/:repo/pages/*") {
    const header = (description: string) => ({ description, schema: { type: "string" } }) as const
    return {
      headers: {
        "X-Page-SHA": header("The commit that last touched the page"),
        "X-Page-At": header("What 'at' asked for, where it asked")
      }
    }
  }
  return {}
}
