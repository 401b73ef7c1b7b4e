import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { parseSaleId } from '../core/ids.ts'
import { entryKey, entryText } from '../core/gate/edge-entry.ts'
import { configHeader, encodeConfig } from '../edge/config.ts'
import { createGate } from '../edge/gate.ts'
import { entryOf } from '../functions/sales/publishing/edge-entries.ts'
import { locationWith } from './local/key-values.ts'
import { loadViewerFunction, viewerEvent } from '../local/cdn/viewer-function.ts'
import { openSaleFacts } from '../proof/bench/gate/open-sale-facts.ts'
import { dist } from '../build.ts'

const saleId = parseSaleId('phone-42')
const now = Date.now()
const facts: any = { ...openSaleFacts(now), soldOut: false, soldOutRevision: -1, restockedRevision: 0, freezes: 0 }
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = (key: string, value: string) => ({ [key]: [{ key, value }] })
const config = encodeConfig({ gateUrl: 'https://gate.example', readerToken: 'reader', writerToken: 'writer', publicKeys: [publicKey.export({ format: 'jwk' })], challengeKeys: ['key'], issuer: 'https://id.example', audience: 'shop', origins: ['https://shop.example'], challengeCost: 1 } as any)
const purchase = (token: string, clientIp: string): any => ({ Records: [{ cf: { config: { distributionDomainName: 'shop.example', distributionId: 'BENCH', eventType: 'origin-request', requestId: 'bench' }, request: { clientIp, method: 'POST', uri: `/api/sales/${saleId}/orders`, querystring: '', headers: { ...header('authorization', `Bearer ${token}`), ...header('content-type', 'application/json'), ...header('origin', 'https://shop.example'), ...header('idempotency-key', 'k-1234567890abcdef') }, origin: { custom: { customHeaders: header(configHeader, config), domainName: 'origin.example', keepaliveTimeout: 5, path: '', port: 443, protocol: 'https', readTimeout: 30, sslProtocols: ['TLSv1.2'] } }, body: { inputTruncated: false, action: 'read-only', encoding: 'base64', data: Buffer.from(JSON.stringify({ quantity: 1, startToken: facts.startToken })).toString('base64') } } } }] })
const firstToken = undefined
const storeOf = (of: any): any => ({ read: async () => of, admit: async (_: any, { now, waiting }: any) => ({ kind: 'granted', count: waiting, second: Math.floor(now / 1000) }), versions: async () => ({ blocklist: 0, sales: 0, filter: 0, passKeys: '', customers: '' }), blocklist: async () => [], filter: async () => undefined, customers: async () => undefined, saleIds: async () => [], firstUse: async () => true, isMember: async () => false, countDemand: async () => {} })
const gateOf = (of: any) => createGate({ openStore: () => storeOf(of), clock: Date.now, report: (...a: any[]) => console.error(...a) } as any)
const cpu = () => { const { user, system } = process.cpuUsage(); return user + system }
const crowd = await Promise.all(Array.from({ length: 4000 }, async (_, i) => purchase(await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).setSubject(`s${i}`).setIssuer('https://id.example').setAudience('shop').setIssuedAt().setExpirationTime('1h').sign(privateKey), `198.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`)))
const clickToken = crowd[0].Records[0].cf.request.headers.authorization[0].value
async function refusal(code: string, of: any) {
  const gate = gateOf(of); const event = crowd[0]
  const a: any = await gate(event); if (!String(a.body).includes(`"${code}"`)) throw new Error(code + ' ' + a.body)
  for (let i = 0; i < 20000; i++) await gate(event)
  const t = cpu(); for (let i = 0; i < 100000; i++) await gate(event); return (cpu() - t) / 100000
}
async function accepted() {
  const gate = gateOf(facts)
  const first: any = await gate(crowd[0]); if (first.status !== undefined) throw new Error(String(first.body))
  for (const e of crowd.slice(1, 1000)) await gate(e)
  const t = cpu(); let won = 0
  for (const e of crowd.slice(1000)) { const a: any = await gate(e); if (a.status === undefined) won++ }
  if (won !== 3000) throw new Error(`won ${won}`)
  return (cpu() - t) / 3000
}
async function preGate(values: Record<string, string>, passes: boolean, lines: Record<string, string> = {}) {
  const run = await loadViewerFunction(`${dist}/edge/pre-gate.js`, locationWith(values))
  const token = clickToken
  const rawHeaders = ['authorization', token, 'content-type', 'application/json', 'content-length', '60', 'origin', 'https://shop.example', 'idempotency-key', 'k-1234567890abcdef', 'host', 'shop.example', 'user-agent', 'Mozilla/5.0', 'accept', '*/*', ...Object.entries(lines).flat()]
  const one = () => viewerEvent({ ip: '203.0.113.7', method: 'POST', url: `/api/sales/${saleId}/orders`, rawHeaders })
  const e = one(); const r: any = await run(e); if ((r === e.request) !== passes) throw new Error(JSON.stringify(r))
  for (let i = 0; i < 20000; i++) await run(one())
  const t = cpu(); for (let i = 0; i < 100000; i++) await run(one()); return (cpu() - t) / 100000
}
const entry = (f: any, soldOutAt: number | null) => ({ [entryKey(saleId)]: entryText(entryOf(f, soldOutAt)) })
console.log(JSON.stringify({
  'gate sold-out': await refusal('sold-out', { ...facts, soldOut: true }),
  'gate not-started': await refusal('not-started', { ...facts, flag: 'off' }),
  'gate accepted': await accepted(),
  'pre-gate passes': await preGate(entry(facts, null), true),
  'pre-gate refuses sold-out': await preGate(entry(facts, now), false),
}))
