/** Builds HTML. Escapes each value that this module did not make itself. */

/** HTML that `html` built, and that is therefore escaped. */
export type Html = { readonly html: string }

type Part = string | number | Html | readonly Html[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes the characters that could end an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

function write(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/**
 * Renders JSON-LD, which browsers do not execute. Without `<` it cannot end its element
 * (https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements).
 */
export function dataElement(id: string, data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return { html: `<script type="application/ld+json" id="${escapeHtml(id)}">${json}</script>\n` }
}

/** Tags a template whose values are escaped. Attribute values in it must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const rest = parts.map((part, i) => write(part) + (strings[i + 1] ?? ''))
  return { html: (strings[0] ?? '') + rest.join('') }
}
