/** The code that puts a sale on a page of another site (docs/how-to/embed.md). */

/** `<sluice-sale>` and `<sluice-button>`. */
export type ElementKind = 'sale' | 'button'

type Embedded = { kind: ElementKind; origin: string; saleId: string; title: string }

/** The forms of the code: an element, and a place that the script fills where an editor removes unknown tags. */
export type EmbedForm = 'tags' | 'place'

/** HTML for a page of another site; `origin` is the address of the sale, `title` plain text. */
export function embedText(form: EmbedForm, { kind, origin, saleId, title }: Embedded): string {
  const name = `sluice-${kind}`
  const [open, close] =
    form === 'tags'
      ? [`<${name} sale="${saleId}" token-from="/sale-token">`, `</${name}>`]
      : [`<div data-${name}="${saleId}" data-token-from="/sale-token">`, '</div>']
  return [
    `<script async src="${origin}/elements.js"></script>`,
    open,
    `  <a href="${origin}/sales/${saleId}/">${escaped(title)}</a>`,
    close,
  ].join('\n')
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
