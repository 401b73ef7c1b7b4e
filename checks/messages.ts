/** The words of the pages: in both languages, with the same values, each asked for by some page. */
import { missingMessages } from '../static/messages/missing.ts'
import { noScriptMessages } from '../static/messages/no-script.ts'
import { problemMessages } from '../static/messages/problems.ts'
import { reportMessages } from '../static/messages/report.ts'
import type { Messages } from '../static/messages/text.ts'
import { type Finding, findingAt } from './finding.ts'
import { messagesByPage } from './messages-by-page.ts'
import type { Tree } from './tree.ts'

const everyPage: Readonly<Record<string, Messages>> = {
  ...messagesByPage,
  missing: missingMessages,
  noScript: noScriptMessages,
  report: reportMessages,
}

const placeholders = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join()

export function checkMessages(tree: Tree, pages: Readonly<Record<string, Messages>> = everyPage): Finding[] {
  const all = Object.entries(pages).flatMap(([page, messages]) =>
    Object.entries(messages).map(([key, text]) => ({ page, key, text })),
  )
  const sources = ['static/client', 'static/pages'].flatMap((folder) => tree.list(folder)).filter(isCode)
  const find = (key: string, what: string): Finding => {
    const file = tree.list('static/messages').find((one) => tree.text(one).includes(`'${key}'`))
    const text = file === undefined ? '' : tree.text(file)
    return findingAt(file ?? 'static/messages', text, text.indexOf(`'${key}'`), what)
  }

  const texts = all.flatMap(({ page, key, text: [english, chinese] }) => {
    const isValue = /^\{\w+\}$/.test(english)
    const isTranslated = /\p{Script=Han}/u.test(`${english}${chinese}`) || isValue
    return [
      ...(english.trim() !== '' && chinese.trim() !== '' && isTranslated
        ? []
        : [find(key, `${key} of ${page} is missing in a language; write both`)]),
      ...(placeholders(english) === placeholders(chinese)
        ? []
        : [find(key, `${key} of ${page} names different values; use the same in both languages`)]),
    ]
  })

  const known = new Set(all.map(({ key }) => key))
  const prefixes = new Set([...known].map((key) => key.split('.')[0] ?? ''))
  const unknown = sources
    .filter((file) => file.startsWith('static/client/'))
    .flatMap((file) =>
      [...tree.text(file).matchAll(/(?:'|=")([a-z][A-Za-z]*\.[A-Za-z.-]+)['"]/g)]
        .map(({ index, 1: key = '' }) => ({ index, key }))
        .filter(({ key }) => prefixes.has(key.split('.')[0] ?? '') && !known.has(key))
        .filter(({ key }) => !isCode(key) && !key.startsWith('throttle.'))
        .map(({ index, key }) =>
          findingAt(file, tree.text(file), index, `asks for ${key}; add it to static/messages/`),
        ),
    )

  const source = sources.map((file) => tree.text(file)).join('\n')
  const templates = [...source.matchAll(/`([a-z][\w.-]*\.)\$\{[^}]+\}(\w*)`/gi)].map((match) =>
    match.slice(1),
  )
  const isAskedFor = (key: string) =>
    source.includes(`'${key}'`) ||
    source.includes(`="${key}"`) ||
    key in problemMessages ||
    templates.some(([start = '', end = '']) => key.startsWith(start) && key.endsWith(end))
  const leftOver = all
    .filter(({ key }) => !isAskedFor(key))
    .map(({ page, key }) => find(key, `${key} of ${page} is shown nowhere; remove it`))

  return [...texts, ...unknown, ...leftOver]
}

const isCode = (file: string) => /\.tsx?$/.test(file)
