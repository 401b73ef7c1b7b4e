/**
 * The page of the API: Swagger UI, which the page loads before, over `/openapi.json`. It is the renderer that keeps to our policy:
 * Redoc, Scalar, RapiDoc and others write styles into the page, which `style-src 'self'` refuses.
 */

/** The part of it that is used here; the package has no types. `toJS` gives path, method and the described operation. */
declare const SwaggerUIBundle: (options: object) => void
type Calls = { filter(keeps: (call: { toJS(): unknown }) => boolean): Calls; size: number }
type Group = { update(key: 'operations', change: (calls: Calls) => Calls): Group; get(key: 'operations'): Calls }
type Groups = { map(change: (group: Group) => Group): Groups; filter(keeps: (group: Group) => boolean): Groups }

/** Keeps the calls in whose path, name or words the reader's text is; Swagger UI alone looks at tags. */
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

/** A link in the button of a call could not be reached by keyboard, and a list of examples needs a name. */
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

/** The page has a main part already, and the levels of the headings below a title follow it. */
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
  // Its colours lack contrast.
  syntaxHighlight: { activated: false },
  plugins: [searchCalls, nameForReaders, outlineForReaders],
  // The page describes; a click on it must not buy.
  supportedSubmitMethods: [],
})

/** The page is part of a build, which knows no brand: name, colours and icon are those of a page that was published with it. */
async function showBrand(): Promise<void> {
  const published = await fetch('/accessibility/').then((answer) => answer.text())
  const page = new DOMParser().parseFromString(published, 'text/html')
  document.querySelector('.wordmark')?.replaceWith(...page.querySelectorAll('.wordmark'))
  document
    .querySelector('link[rel=icon]')
    ?.replaceWith(...page.querySelectorAll('link[rel=icon], link[href^="/brand/"]'))
}

void showBrand()
