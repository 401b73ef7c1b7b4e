/** Texts of sales and shippers, made safe for one line of an e-mail. */

/**
 * `text` without line breaks, control characters and marks that reverse the direction of writing: it can
 * neither end a header or a line, nor hide what follows it. Spaces at which no line breaks stay: they keep an amount together, and
 * the groups of an order number in their order in Arabic (UAX 9, W4).
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/(?:[\p{Cc}\p{Zl}\p{Zp}]|[^\S\u00A0\u202F])+/gu, ' ')
    .trim()
}

/** At most `max` characters of it, the last one an ellipsis where some are left out. */
export function shortLine(text: string, max: number): string {
  const characters = [...oneLine(text)]
  if (characters.length <= max) return characters.join('')
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`
}
