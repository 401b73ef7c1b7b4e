/** Text into HTML, escaped unless it was made here. The one place that knows how to write a page's bytes. */

/** HTML that was built by `html`, and so is already escaped. */
export type Html = { readonly html: string }

type Part = string | number | Html | readonly Html[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** `text` with everything escaped that could leave an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

function write(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/**
 * Data in a page, which browsers do not execute. Without `<` it cannot end its element
 * (https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements).
 */
export function dataElement(id: string, data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return { html: `<script type="application/ld+json" id="${escapeHtml(id)}">${json}</script>\n` }
}

/** A template whose values are escaped; attribute values in it must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const rest = parts.map((part, i) => write(part) + (strings[i + 1] ?? ''))
  return { html: (strings[0] ?? '') + rest.join('') }
}
