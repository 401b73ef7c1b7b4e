/**
 * The page that checks a draw (options/draw/docs/reference.md, "Checking"): a worker checks, and the page explains the result
 * in plain words. Its only inputs are the published files, and the lines of the draw that this browser stores.
 */
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import { addedFilePath } from '../../../core/sale/pointer.ts'
import { byId, make } from '../../../web/dom.ts'
import { pageVoice } from '../../../web/page-voice.ts'
import { actions, button, fact, paragraph } from '../../../web/parts.ts'
import { redraw } from '../../../web/redraw.ts'
import { saveFile } from '../../../web/save.ts'
import type { DrawProgress, DrawResult, DrawTask } from './draw-worker.ts'
import type { DrawReport, OwnEntry } from './lib/draw-report.ts'
import { loadKnownOfDraw, saveKnownOfDraw } from './lib/entry-state.ts'
import type { drawCheckMessages } from './messages/catalogues.ts'
import { drawCheckPatterns } from './messages/draw-patterns.ts'

type Shown = DrawResult | { kind: 'working' | 'stopped' | 'insecure' }

/** Faults of the reader's input, not of the draw. */
const readersFaults = ['receipt-unreadable', 'receipt-other-draw', 'receipt-signature'] as const
const isReaders = (fault: string) => readersFaults.some((one) => one === fault)

const saleId = parseSaleId(new URLSearchParams(location.search).get('sale'))
const voice = await pageVoice<keyof typeof drawCheckMessages>('draw-check', drawCheckPatterns)
const { t } = voice

let shown: Shown = { kind: 'missing' }
let worker: Worker | undefined
let [done, total] = [0, 0]
let pasted = ''

voice.onChange(draw)
start()

/** Starts the check, or restarts it with a pasted receipt. */
function start(): void {
  stop()
  if (saleId === undefined) show({ kind: 'missing' })
  // Browsers verify signatures only in a secure context.
  else if (!isSecureContext) show({ kind: 'insecure' })
  else startWorker(saleId)
}

function startWorker(saleId: SaleId): void {
  ;[done, total] = [0, 0]
  const { receipts, ...kept } = loadKnownOfDraw(saleId)
  const working = new Worker(byId('main').dataset.worker ?? '', { type: 'module' })
  worker = working
  working.addEventListener('message', ({ data }: MessageEvent<DrawProgress | DrawResult>) => {
    if (worker === working) take(saleId, data)
  })
  working.addEventListener('error', () => {
    // Without any progress message the script could not be loaded.
    if (worker === working) finish({ kind: total === 0 ? 'network' : 'memory' })
  })
  const all = pasted === '' ? receipts : [...receipts.filter((line) => line !== pasted), pasted]
  working.postMessage({ saleId, known: { ...kept, receipts: all } } satisfies DrawTask)
  show({ kind: 'working' })
}

function stop(): void {
  worker?.terminate()
  worker = undefined
}

function finish(result: Shown): void {
  stop()
  show(result)
}

function take(sale: SaleId, message: DrawProgress | DrawResult): void {
  if (message.kind === 'progress') {
    ;({ done, total } = message)
    drawWork()
    return
  }
  if (message.kind === 'checked') keep(sale, message.report)
  finish(message)
}

/** Stores the lines of faultless files for a later check, and a valid pasted receipt. */
function keep(sale: SaleId, { faults, receipts, rulesHash, seen }: DrawReport): void {
  if (faults.every(({ fault }) => isReaders(fault))) saveKnownOfDraw(sale, { rules: rulesHash, ...seen })
  const last = receipts.at(-1)
  const isGenuine = receipts.length > 0 && (last === undefined || last === 'receipt-excluded')
  if (pasted !== '' && isGenuine) saveKnownOfDraw(sale, { receipt: pasted })
}

function show(next: Shown): void {
  shown = next
  draw()
}

function draw(): void {
  if (saleId !== undefined) byId('address').textContent = `${location.origin}/${addedFilePath(saleId, 'draw', '')}`
  drawWork()
  redraw(byId('verdict'), ...verdict())
  redraw(byId('draw'), ...(shown.kind === 'checked' ? details(shown.report) : []))
}

function drawWork(): void {
  redraw(byId('work'), ...workParts())
}

function workParts(): HTMLElement[] {
  if (saleId === undefined) return []
  if (shown.kind !== 'working') return [actions(button(t('verify.again'), start, { id: 'again', look: 'plain' }))]
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total)
  const text = total === 0 ? t('verify.loading') : t('verify.working', { percent })
  const bar = make('progress', { max: 100, value: percent, 'aria-labelledby': 'progress-text' })
  return [
    paragraph(text, { id: 'progress-text' }),
    bar,
    actions(button(t('verify.stop'), () => finish({ kind: 'stopped' }), { id: 'stop', look: 'main' })),
  ]
}

/** Renders a verdict. `sign` is hidden from screen readers, because the title says the same. */
function panel(tone: 'good' | 'bad' | 'calm', title: string, ...text: string[]): HTMLElement {
  const sign = { good: '✓', bad: '✕', calm: '…' }[tone]
  return make(
    'section',
    { class: 'verdict', 'data-tone': tone },
    make('span', { class: 'verdict__sign', 'aria-hidden': 'true' }, sign),
    make('div', {}, make('h2', { id: 'verdict-title' }, title), ...text.map((one) => paragraph(one))),
  )
}

function verdict(): HTMLElement[] {
  switch (shown.kind) {
    case 'stopped':
      return [paragraph(t('verify.stopped'))]
    case 'missing':
      return [
        panel('calm', t('verify.none'), ...(saleId === undefined ? [] : [t('verify.noneMore', { sale: saleId })])),
      ]
    case 'insecure':
    case 'network':
    case 'memory':
      return [panel('calm', t(`verify.${shown.kind}`), t(`verify.${shown.kind}More`))]
    case 'checked':
      return verdictOf(shown.report)
    default:
      return []
  }
}

function verdictOf({ faults, state, rules, roundAt = 0 }: DrawReport): HTMLElement[] {
  const wrong = faults.filter(({ fault }) => !isReaders(fault))
  const isLocal = rules?.beacon.isLocal === true
  const local = isLocal ? [paragraph(`⚠ ${t('verdict.local')}`, { class: 'warning', id: 'local' })] : []
  if (wrong.length > 0) {
    const items = wrong.map(({ fault, detail }) =>
      make('li', {}, t(`fault.${fault}`), make('small', {}, make('code', {}, fault), ` ${detail}`)),
    )
    return [
      panel('bad', t('verdict.false'), t('verdict.falseMore')),
      make('h2', {}, t('fault.title')),
      make('ul', { class: 'faults stack' }, ...items),
      ...local,
    ]
  }
  if (state === undefined || rules === undefined) return []
  const times = { closes: voice.farMoment(rules.closesAt), round: voice.farMoment(roundAt) }
  if (state === 'drawn') return [panel('good', t('verdict.true'), t('verdict.trueMore')), ...local]
  return [panel('calm', t(`verdict.${state}`), t(`verdict.${state}More`, times)), ...local]
}

function details(report: DrawReport): HTMLElement[] {
  const { rules } = report
  if (rules === undefined) return []
  return [
    make('h2', {}, t('own.title')),
    ...own(report),
    make('h2', {}, t('facts.title')),
    make('dl', { class: 'facts' }, ...facts(report, rules)),
    ...(report.result === undefined
      ? []
      : [actions(button(t('facts.winners'), saveWinners, { id: 'winners', look: 'plain' }))]),
  ]
}

function saveWinners(): void {
  const { rules, result } = shown.kind === 'checked' ? shown.report : {}
  if (result === undefined) return
  void saveFile(new Blob([result.winners], { type: 'text/csv' }), `${rules?.sale}.winners.csv`)
}

function own({ receipts, own: entry, state }: DrawReport): HTMLElement[] {
  const fault = pasted === '' ? undefined : receipts.at(-1)
  const kept = receipts.length - (pasted === '' ? 0 : 1)
  return [
    ...ownVerdict(receipts.includes('receipt-excluded') ? 'receipt-excluded' : fault, entry, state),
    paragraph(kept > 0 ? t('own.kept', { n: kept }) : t('own.lead')),
    make(
      'p',
      { class: 'field' },
      make('label', { for: 'receipt' }, t('own.paste')),
      make('textarea', {
        id: 'receipt',
        rows: 3,
        spellcheck: 'false',
        autocomplete: 'off',
        ...(fault !== undefined && { 'aria-describedby': 'receipt-error' }),
      }),
    ),
    actions(button(t('own.check'), checkReceipt, { id: 'check-receipt', look: 'plain' })),
  ]
}

function ownVerdict(
  fault: DrawReport['receipts'][number],
  entry: OwnEntry | undefined,
  state: DrawReport['state'],
): HTMLElement[] {
  if (fault === 'receipt-excluded') return [panel('bad', t('own.excluded'), t('own.excludedMore'))]
  if (fault !== undefined) return [paragraph(t(`fault.${fault}`), { class: 'field__error', id: 'receipt-error' })]
  if (entry === undefined || state === 'void') return []
  return [panel(entry.state === 'entered' ? 'good' : 'calm', ...ownWords(entry, state))]
}

function checkReceipt(): void {
  pasted = byId('receipt', HTMLTextAreaElement).value.replaceAll(/\s/g, '')
  if (pasted !== '') start()
}

function ownWords({ state, rank, of = 0, offer }: OwnEntry, drawn: DrawReport['state']): [string, ...string[]] {
  if (state === 'left') return [t('own.left')]
  if (state === 'unlisted') return [t('own.pending')]
  if (rank === undefined || drawn !== 'drawn') return [t('own.listed')]
  return [t('own.rank', { rank, of }), ...(offer === undefined ? [] : [t(`own.${offer}`)])]
}

type Rules = NonNullable<DrawReport['rules']>

function facts(report: DrawReport, rules: Rules): HTMLElement[] {
  const { entries, signed, rulesHash, result, roundAt = 0 } = report
  const { beacon, round, variants } = rules
  const at = voice.farMoment(roundAt)
  const units = variants.map(({ id, units }) =>
    id === undefined ? units.toLocaleString(voice.locale()) : t('facts.unitsOf', { id, units }),
  )
  const rows: [keyof typeof drawCheckMessages, string | number | undefined, 'hash'?][] = [
    ['facts.entries', entries],
    ['facts.list', signed?.count],
    [
      'facts.opens',
      t('facts.openUntil', { opens: voice.farMoment(rules.opensAt), closes: voice.farMoment(rules.closesAt) }),
    ],
    ['facts.units', units.join(' · ')],
    ['facts.level', rules.minLevel],
    ['facts.beacon', t(beacon.isLocal ? 'facts.local' : 'facts.drand', { round, at })],
    ['facts.offers', result?.offers],
    ['facts.holding', result?.holding],
    ['facts.waiting', result?.waiting],
    ['facts.rules', rulesHash, 'hash'],
    ['facts.root', signed?.root, 'hash'],
  ]
  return rows.flatMap(([key, value, kind]) => {
    if (value === undefined) return []
    const text = typeof value === 'number' ? value.toLocaleString(voice.locale()) : value
    return [fact(t(key), {}, kind === 'hash' ? make('code', {}, text) : text)]
  })
}
