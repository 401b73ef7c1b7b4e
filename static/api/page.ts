/** The description of the API as a page, written when the site is built: no script, so the strict policy holds. */
import { wordmark } from '../pages/brand.ts'
import { type Html, html } from '../pages/html.ts'
import { type Assets, asset, openHead } from '../pages/layout.ts'
import { callsOf, type DescribedCall, eventsOf, resolve } from './calls.ts'
import type { OpenApi, Parameter, Response } from './openapi.ts'
import type { JsonSchema } from './shapes.ts'

/** Members of members are shown so deep; what is deeper is in the description itself. */
const maxDepth = 4

/** The page at `/developers/`. */
export function renderApiPage(assets: Assets, api: OpenApi): string {
  const { title, summary = '', description = '' } = api.info
  const calls = [...callsOf(api), ...eventsOf(api)]
  const groups = api.tags.map((tag) => ({ ...tag, calls: calls.filter((call) => call.tag === tag.name) }))
  return html`<!doctype html>
<html lang="en">
<head>
${openHead}
<meta name="description" content="${String(summary)}">
<title>${String(title)}</title>
<link rel="icon" type="image/svg+xml" href="${asset(assets, 'icon.svg')}">
<link rel="stylesheet" href="${asset(assets, 'developers.css')}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
${wordmark({})}
</header>
<main id="main" class="api">
<h1>${String(title)}</h1>
<p class="lead">${String(summary)} ${prose(String(description))}</p>
<p class="actions"><a class="button" href="/openapi.json">openapi.json</a> <a class="button button--plain" href="/llms.txt">llms.txt</a></p>
<nav aria-label="Calls">
${groups.map(
  ({ name, calls: own }) => html`<section><h2>${name}</h2>
<ul>
${own.map(
  ({ id, method, path, summary: text }) =>
    html`<li><a href="#${id}">${text}</a> <code>${method} ${path}</code></li>
`,
)}</ul>
</section>
`,
)}</nav>
${groups.map(
  ({ name, description: text, calls: own }) => html`<section aria-labelledby="tag-${name}">
<h2 id="tag-${name}">${name}</h2>
<p>${text}</p>
${own.map((call) => renderCall(api, call))}</section>
`,
)}</main>
</body>
</html>
`.html
}

function renderCall(api: OpenApi, call: DescribedCall): Html {
  const { id, method, path, summary, operation } = call
  const { description, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  return html`<article aria-labelledby="${id}">
<h3 id="${id}">${summary}</h3>
<p><code class="api__call">${method} ${path}</code></p>
<p>${accessText(call)} ${prose(description ?? '')}</p>
${fieldTable(`Parameters: ${summary}`, parameters.map(parameterField), api)}
${body === undefined ? html`` : html`${fieldTable(`Body: ${summary}`, fieldsOf(body.schema as JsonSchema, api), api)}${example('Example of a body', body.example)}`}
${Object.entries(responses).map(([status, response]) => renderResponse(api, summary, status, resolve(api, response) as Response))}
</article>
`
}

function accessText({ operation: { security } }: DescribedCall): string {
  const [first] = security.flatMap((one) => Object.keys(one))
  if (first === 'shopKey') return 'With a shop key as bearer token.'
  if (first === 'signature') return 'With a signature by Standard Webhooks.'
  return first === undefined ? 'Public: no session is needed.' : 'With a session.'
}

function renderResponse(api: OpenApi, call: string, status: string, response: Response): Html {
  const { description, headers = {}, content = {} } = response
  const names = Object.keys(headers)
  const [[media, { schema, example: sample, examples }] = ['', {}]] = Object.entries(content)
  const isProblem = media === 'application/problem+json'
  const title = `${status} ${isProblem ? description.replaceAll('`', '') : description}`
  if (media === '')
    return html`<details><summary>${title}</summary><p>${headerText(names)}</p></details>
`
  const parts = isProblem
    ? html`${Object.values(examples ?? {}).map((one) => example(undefined, (resolve(api, one) as { value: unknown }).value))}`
    : html`${fieldTable(`Answer ${status}: ${call}`, fieldsOf(schema as JsonSchema, api), api)}${example('Example of an answer', sample)}`
  return html`<details><summary>${title}</summary>
${names.length === 0 ? html`` : html`<p>${headerText(names)}</p>`}
${parts}</details>
`
}

const headerText = (names: readonly string[]) => `Headers: ${names.join(', ')}.`

type Field = { name: string; schema: JsonSchema; required: boolean }

function parameterField({ name, in: place, required, schema, description }: Parameter): Field {
  const described = description === undefined ? schema : { ...schema, description }
  return { name: `${name} (${place})`, schema: described, required: required === true }
}

/** Text in which marks as in Markdown set code apart. */
const prose = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`

function fieldTable(title: string, fields: readonly Field[], api: OpenApi): Html {
  if (fields.length === 0) return html``
  return html`<div class="api__table" role="region" aria-label="${title}" tabindex="0"><table>
<caption>${title.split(':')[0] ?? title}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${fields.map(
  ({ name, schema, required }) =>
    html`<tr><th scope="row"><code>${name}</code>${required ? '' : ', optional'}</th><td class="api__type">${typeOf(schema, api)}</td><td>${prose(meaningOf(schema))}</td></tr>
`,
)}</tbody>
</table></div>
`
}

/** The members of an object, and theirs, under dotted names. */
function fieldsOf(given: JsonSchema | undefined, api: OpenApi, prefix = '', depth = 0): Field[] {
  const schema = plain(given, api)
  if (schema === undefined || depth === maxDepth) return []
  const either = schema.oneOf ?? schema.anyOf
  if (Array.isArray(either) && schema.properties === undefined) {
    const all = either.flatMap((one: JsonSchema) => fieldsOf(one, api, prefix, depth))
    return [...new Map(all.toReversed().map((field) => [field.name, field])).values()].toReversed()
  }
  if (schema.type === 'array') return fieldsOf(schema.items as JsonSchema, api, `${prefix}[]`, depth)
  const required = (schema.required ?? []) as readonly string[]
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, member]) => {
    const whole = prefix === '' ? name : `${prefix}.${name}`
    return [
      { name: whole, schema: member, required: required.includes(name) },
      ...fieldsOf(member, api, whole, depth + 1),
    ]
  })
}

/** Without references, and without the null that it may be. */
function plain(schema: JsonSchema | undefined, api: OpenApi): JsonSchema | undefined {
  const found = resolve(api, schema) as JsonSchema | undefined
  const either = found?.anyOf
  const [one, ...others] = Array.isArray(either) ? either.filter(({ type }) => type !== 'null') : []
  return one !== undefined && others.length === 0 ? plain(one, api) : found
}

function typeOf(given: JsonSchema, api: OpenApi): string {
  const found = resolve(api, given) as JsonSchema
  const schema = plain(given, api) ?? {}
  const isNull = found !== schema && Array.isArray(found.anyOf)
  const { type, items, enum: values, const: only } = schema
  const types = Array.isArray(type) ? type.join(' or ') : String(type ?? 'any')
  const text = type === 'array' ? `list of ${typeOf(items as JsonSchema, api)}` : types
  const choice = Array.isArray(values) ? values.map(String).join(', ') : only === undefined ? text : String(only)
  return isNull ? `${choice} or null` : choice
}

function meaningOf(schema: JsonSchema): string {
  const { description, minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  const range = (low: unknown, high: unknown, what: string) =>
    low === undefined && high === undefined ? '' : `${low ?? ''} to ${high ?? ''}${what}.`.replace(/^ to/, 'at most')
  return [
    description ?? '',
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    pattern === undefined ? '' : `Pattern: \`${pattern}\``,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

function example(title: string | undefined, value: unknown): Html {
  if (value === undefined) return html``
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  return html`${title === undefined ? html`` : html`<p>${title}</p>`}<pre tabindex="0"><code>${text}</code></pre>
`
}
