/**
 * Shows `/openapi.json` with Swagger UI. Redoc, Scalar, RapiDoc and others insert inline styles, which
 * `style-src 'self'` forbids.
 */

/** The part of Swagger UI in use; the package has no types. `toJS` returns path, method and operation. */
declare const SwaggerUIBundle: (options: object) => void
type Calls = { filter(keeps: (call: { toJS(): unknown }) => boolean): Calls; size: number }
type Group = { update(key: 'operations', change: (calls: Calls) => Calls): Group; get(key: 'operations'): Calls }
type Groups = { map(change: (group: Group) => Group): Groups; filter(keeps: (group: Group) => boolean): Groups }

/** Searches the whole description of a call. By default Swagger UI searches only tags. */
const searchCalls = () => ({
  fn: {
    opsFilter: (groups: Groups, phrase: string) =>
      groups
        .map((group) => group.update('operations', (calls) => calls.filter((call) => isFound(call.toJS(), phrase))))
        .filter((group) => group.get('operations').size > 0),
  },
})

const isFound = (call: unknown, phrase: string) => JSON.stringify(call).toLowerCase().includes(phrase.toLowerCase())

type Parts = { React: { createElement(part: unknown, props: object | null, ...children: unknown[]): unknown } }

/** Fixes accessibility: no link inside of a button, and a label for the list of examples. */
const nameForReaders = () => ({
  wrapComponents: {
    DeepLink:
      (_: unknown, { React }: Parts) =>
      ({ text }: { text: string }) =>
        React.createElement('span', null, text),
    ExamplesSelect:
      (Original: unknown, { React }: Parts) =>
      (props: object) =>
        React.createElement('label', null, 'Example ', React.createElement(Original, props)),
  },
})

/** Corrects the outline: one `main`, and headings without gaps in their levels. */
const otherTags: Readonly<Record<string, string>> = { main: 'div', h3: 'h2', h4: 'h3', h5: 'h4' }
const outlineForReaders = ({ React }: Parts) => {
  const { createElement } = React
  React.createElement = (part, ...rest) =>
    createElement(typeof part === 'string' ? (otherTags[part] ?? part) : part, ...rest)
  return {}
}

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  filter: true,
  // The highlighting lacks contrast.
  syntaxHighlight: { activated: false },
  plugins: [searchCalls, nameForReaders, outlineForReaders],
  // No requests from this page: a click must not buy.
  supportedSubmitMethods: [],
})

/** Copies name, colours and icon from a published page, because the build does not know the brand. */
async function showBrand(): Promise<void> {
  const published = await fetch('/accessibility/').then((answer) => answer.text())
  const page = new DOMParser().parseFromString(published, 'text/html')
  document.querySelector('.wordmark')?.replaceWith(...page.querySelectorAll('.wordmark'))
  document
    .querySelector('link[rel=icon]')
    ?.replaceWith(...page.querySelectorAll('link[rel=icon], link[href^="/brand/"]'))
}

void showBrand()
