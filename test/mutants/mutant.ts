/** One deliberate defect in one file: what it replaces, and where a probe shows that a test reaches it. */

export type Span = { start: number; end: number }

/** An expression whose evaluation shows that a test reaches a place. */
export type Probe = Span & { startsStatement: boolean }

/** A possible defect: `text` in place of `span`. */
export type Candidate = {
  span: Span
  text: string
  /** Undefined where no expression can show it: in Lua, and in what runs once, when its module is imported. */
  probe: Probe | undefined
}

/** `file` is relative to the root of the repository. `name` is that of a mutant which is always tried. */
export type Mutant = Candidate & { id: number; file: string; name?: string }

/** The source with the defect. */
export function mutated(source: string, { span, text }: Pick<Candidate, 'span' | 'text'>): string {
  return source.slice(0, span.start) + text + source.slice(span.end)
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

/** Where it is and what it changes, in one line. */
export function describeMutant(source: string, mutant: Mutant): string {
  const { file, span, text, name } = mutant
  const was = source.slice(span.start, span.end)
  const change = `${oneLine(was)} → ${oneLine(text) || '(nothing)'}`
  return `${file}:${lineOf(source, span.start)}  ${name === undefined ? change : `${name}: ${change}`}`
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 90)
