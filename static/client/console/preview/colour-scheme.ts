/**
 * Shows a document in light or dark, against what the screen prefers. Its policy forbids styles in its
 * HTML; rules that a script changes are allowed.
 */
import type { Scheme } from '../../../../core/contrast.ts'

/** What each rule says itself. */
const conditions = new WeakMap<CSSRule, string>()

/** To be called again when a style sheet has loaded. */
export function colourScheme({ documentElement, styleSheets }: Document, scheme: Scheme): void {
  documentElement.style.colorScheme = scheme
  for (const sheet of styleSheets) {
    for (const rule of sheet.cssRules) if (isMediaRule(rule)) applyScheme(rule, scheme)
  }
}

function applyScheme(rule: CSSMediaRule, scheme: Scheme): void {
  const condition = conditions.get(rule) ?? rule.media.mediaText
  conditions.set(rule, condition)
  const [, wanted] = /^\(prefers-color-scheme: ?(light|dark)\)$/.exec(condition) ?? []
  if (wanted !== undefined) rule.media.mediaText = wanted === scheme ? 'all' : 'not all'
}

/** The rules of another document are of its own classes. */
function isMediaRule(rule: CSSRule): rule is CSSMediaRule {
  return 'media' in rule
}
