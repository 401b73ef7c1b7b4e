/** Runs the deployed CloudFront Functions, isolated from Node's globals. */
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { constants, createContext, Script } from 'node:vm'
import { headerKind } from './headers.ts'
import type { EdgeLocation } from './key-value-store.ts'

/**
 * The viewer's request in Node's terms: `url` with its query, `rawHeaders` as pairs of name and
 * value.
 */
export type Viewer = { ip: string; method: string; url: string; rawHeaders: readonly string[] }

export type ViewerEvent = {
  version: '1.0'
  context: { eventType: 'viewer-request' | 'viewer-response' } & Omit<typeof context, 'eventType'>
  viewer: { ip: string }
  request: ViewerRequest
}

/** Returns the request (changed or not) or an answer, or a promise of it. */
export type ViewerFunction = (event: ViewerEvent) => unknown

/**
 * Loads the function in `file`; `store` is its associated key-value store, and `now` its clock (epoch ms).
 * @throws when the file has no `handler`, imports what the runtime does not have, or opens a store without having one
 */
export async function loadViewerFunction(
  file: string,
  store?: EdgeLocation,
  now: () => number = Date.now,
): Promise<ViewerFunction> {
  const source = await readFile(file, 'utf8')
  // A plain global object: one created by Node intercepts every access to a global, which is slow.
  const globals = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } })
  globals.imported = { ...viewerModules(store), now }
  new Script('Date.now = imported.now').runInContext(globals)
  new Script(withoutImports(source), { filename: file }).runInContext(globals)
  delete globals.imported
  const handler: unknown = globals.handler
  if (!isViewerFunction(handler)) throw new Error(`${file} has no function named handler`)
  return handler
}

/** Comments, empty lines and imports at the start of the file. */
const head = /^(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/|import \w+ from '\w+';?)*/

/** Replaces the imports at the start, with the same number of lines. An import further down is a syntax error. */
function withoutImports(source: string): string {
  return source.replace(head, (lines) =>
    lines.replace(/^import (\w+) from '(\w+)';?$/gm, (_, name: string, module: string) => {
      if (module !== 'cloudfront' && module !== 'crypto') throw new Error(`there is no module '${module}'`)
      return `const ${name} = imported.${module}`
    }),
  )
}

function isViewerFunction(value: unknown): value is ViewerFunction {
  return typeof value === 'function'
}

const context = {
  distributionDomainName: 'localhost',
  distributionId: 'LOCAL',
  eventType: 'viewer-request',
  requestId: '',
} as const

/**
 * Builds the event of a viewer request
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html).
 */
export function viewerEvent(viewer: Viewer): ViewerEvent {
  return { version: '1.0', context, viewer: { ip: viewer.ip }, request: new ViewerRequest(viewer) }
}

/** Values by name; a repeated name has all values in `multiValue`. */
type Values = Record<string, { value: string; multiValue?: { value: string }[] }>

/** The request of a function. Most functions read little of it, so its parts are created on access. */
class ViewerRequest {
  readonly method: string
  uri: string
  readonly #query: string
  readonly #rawHeaders: readonly string[]
  #headers: Values | undefined

  constructor({ method, url, rawHeaders }: Viewer) {
    const question = url.indexOf('?')
    this.method = method
    this.uri = question < 0 ? url : url.slice(0, question)
    this.#query = question < 0 ? '' : url.slice(question + 1)
    this.#rawHeaders = rawHeaders
  }

  /** Names are in lower case; cookies are separate. */
  get headers(): Values {
    this.#headers ??= headersOf(this.#rawHeaders)
    return this.#headers
  }

  get cookies(): Values {
    const raw = this.#rawHeaders
    const found: Values = Object.create(null)
    for (let i = 0; i + 1 < raw.length; i += 2) {
      if (headerKind(raw[i] ?? '').name === 'cookie') addPairs(found, (raw[i + 1] ?? '').split(/; */))
    }
    return found
  }

  /** Names and values as received, still encoded. */
  get querystring(): Values {
    const found: Values = Object.create(null)
    addPairs(found, this.#query.split('&'))
    return found
  }
}

function headersOf(raw: readonly string[]): Values {
  // No prototype, so that a header called "constructor" is like any other.
  const headers: Values = Object.create(null)
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const { name } = headerKind(raw[i] ?? '')
    if (name !== 'cookie') add(headers, name, raw[i + 1] ?? '')
  }
  return headers
}

function addPairs(values: Values, pairs: readonly string[]): void {
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals < 0) add(values, pair, '')
    else add(values, pair.slice(0, equals), pair.slice(equals + 1))
  }
}

function add(values: Values, name: string, value: string): void {
  const first = values[name]
  if (first === undefined) values[name] = { value }
  else first.multiValue = [...(first.multiValue ?? [{ value: first.value }]), { value }]
}

/**
 * Returns the emulated modules of CloudFront's runtime 2.0
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html,
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-custom-methods.html).
 */
function viewerModules(store: EdgeLocation | undefined) {
  return {
    cloudfront: {
      kvs() {
        if (store === undefined) throw new Error('the function has no associated key-value store')
        return handleOf(store)
      },
    },
    crypto: { createHmac: hmac },
  }
}

/** Returns the store's handle: every method is asynchronous, and `get` rejects for a missing key. */
function handleOf(store: EdgeLocation) {
  return {
    async get(key: string, options?: object): Promise<string> {
      if (options !== undefined) throw new Error('a format of values is not emulated')
      const value = store.get(key)
      if (value === undefined) throw new Error('KeyNotFound')
      return value
    },
    exists: async (key: string) => store.get(key) !== undefined,
  }
}

const encodings = ['hex', 'base64', 'base64url'] as const

function hmac(algorithm: string, key: string) {
  if (algorithm !== 'sha256') throw new Error(`the algorithm ${algorithm} is not emulated`)
  const mac = createHmac(algorithm, key)
  const signer = {
    update(data: string) {
      mac.update(data)
      return signer
    },
    digest(encoding: string): string {
      const known = encodings.find((one) => one === encoding)
      if (known === undefined) throw new Error(`the encoding ${encoding} is not emulated`)
      return mac.digest(known)
    },
  }
  return signer
}
