/** Builds elements that several pages of shoppers share. */
import { type Child, make, type Props } from './dom.ts'

/** Creates a button. `look` adds the class `button--<look>`. */
export function button(text: string, click: () => void, { look = '', ...props }: Props & { look?: string }) {
  const own = look === '' ? 'button' : `button button--${look}`
  return make('button', { type: 'button', class: own, ...props, click }, text)
}

export const paragraph = (text: string, props: Props = {}): HTMLElement => make('p', props, text)

export const actions = (...controls: Child[]): HTMLElement => make('p', { class: 'actions' }, ...controls)

/** Creates a section labelled by its heading, which has the id `titleId`. */
export const headed = (titleId: string, title: string, props: Props, ...parts: Child[]): HTMLElement =>
  make(
    'section',
    { class: 'stack', 'aria-labelledby': titleId, ...props },
    make('h2', { id: titleId }, title),
    ...parts,
  )

/** Creates a name and its value, for a `dl` of the class `facts`. */
export const fact = (name: string, props: Props, ...value: Child[]): HTMLElement =>
  make('div', {}, make('dt', {}, name), make('dd', props, ...value))

/** Creates the empty state of a page, with an optional link. */
export const emptyPlace = (text: string, next?: Node): HTMLElement =>
  make('div', { class: 'empty' }, make('p', {}, text), next)

/** Creates the notice for a page that cannot be shown. */
export const noticeOf = (title: string, text: string, next?: Node): HTMLElement =>
  make('section', {}, make('h1', {}, title), emptyPlace(text, next))

type Row = { href: string; id: string; image: string | undefined; title: string; notes: readonly Child[]; end: Node }

/** Creates a linked item for a list of the class `rows`: a picture, words, and a value at the end. */
export function linkedRow(props: Props, { href, id, image, title, notes, end }: Row): HTMLElement {
  const picture = image === undefined ? undefined : make('img', { src: image, alt: '', width: 72, height: 72 })
  const words = [make('strong', { dir: 'auto' }, title), ...notes.map((note) => make('small', {}, note))]
  return make('li', props, make('a', { href, id }, picture, make('span', { class: 'rows__words' }, ...words), end))
}
