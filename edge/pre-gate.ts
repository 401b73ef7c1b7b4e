/**
 * Generates the CloudFront Function before the gate: pre-gate.js with the gate's own routes, limits
 * and refusals in front. So both answer alike, and a route or limit is written once.
 */
import { STATUS_CODES } from 'node:http'
import { jsonType, methodNotAllowed, notFound, notJson, tooLarge } from './checks/request.ts'
import { noToken } from './checks/shopper.ts'
import type { EdgeResponse } from './cloudfront.ts'
import { prebuiltProblem } from './problem-response.ts'
import { routes } from './routes.ts'

type PreGateRoute = {
  path: RegExp
  methods: readonly string[]
  maxBytes: number
  needsSession: boolean
}

/** The clock is answered here and never reaches the gate. */
const clock: PreGateRoute = { path: /^\/api\/time$/, methods: ['GET'], maxBytes: 0, needsSession: false }

/** `code` is the text of pre-gate.js. */
export function generatePreGate(code: string): string {
  const tables = {
    jsonType: String(jsonType),
    notFound: refusal(notFound),
    notJson: refusal(notJson),
    noToken: refusal(prebuiltProblem('sign-in-required', noToken)),
    routes: `[\n${Object.values({ ...routes, clock })
      .map(routeText)
      .join('')}]`,
  }
  const declarations = Object.entries(tables).map(([name, value]) => `const ${name} = ${value}\n`)
  return `// Generated from the tables of the gate.\n${declarations.join('')}\n${withoutComments(code)}`
}

function routeText({ path, methods, maxBytes, needsSession }: PreGateRoute): string {
  return `  {
    path: ${path},
    methods: ${JSON.stringify(methods)},
    maxBytes: ${maxBytes},
    needsSession: ${needsSession},
    wrongMethod: ${refusal(methodNotAllowed(methods))},
    tooLarge: ${refusal(tooLarge(maxBytes))},
  },\n`
}

/** A call of `refusal` in pre-gate.js, which adds the headers that all refusals have. */
function refusal({ status, headers, body }: EdgeResponse): string {
  const own = Object.entries(headers).filter(([name]) => name === 'allow' || name === 'www-authenticate')
  const ownHeaders = Object.fromEntries(own.map(([name, [header]]) => [name, { value: header?.value }]))
  const texts = [STATUS_CODES[status], ownHeaders, body].map((text) => JSON.stringify(text))
  return `refusal(${[status, ...texts].join(', ')})`
}

/** The file may have 10 kB. */
function withoutComments(code: string): string {
  return code.replace(/^\/\*[\s\S]*?\*\/\n/gm, '').replace(/^ *\/[/*].*\n/gm, '')
}
