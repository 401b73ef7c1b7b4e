/**
 * The rate of "sold out" answers of the gate, compared with a bare `node:http` server that sends
 * the same bytes. Rounds alternate, so that other load on the machine affects both; the ratio is
 * the result, the rates depend on the machine.
 */
import { controlClient } from '../../cli/control-client.ts'
import { sessionHeaders } from '../../cli/pass.ts'
import { startStack } from '../../local/stack.ts'
import { openGoodsSale } from '../rush/open-sale.ts'
import { type BareAnswer, startBareServer } from './gate/bare.ts'
import { type LoadOptions, type LoadResult, runLoad } from './gate/load-generator.ts'
import { atLeast, inTurns, type Measurement } from './harness.ts'
import { measuredStack } from './own-system.ts'
import { median } from './statistics.ts'
import { openSystem, type System } from './system.ts'

const rounds = 5
const secondsPerRound = 2
const connections = 32

/** The share of the bare server's rate that the gate must reach. */
const target = 0.65

export async function measureGate(): Promise<Measurement> {
  const stack = await startStack(measuredStack)
  try {
    const system = await openSystem(`http://127.0.0.1:${stack.port}`)
    const shot = await soldOutShot(system)
    const bare = await startBareServer(await answerTo(shot))
    try {
      const bareShot = { ...shot, url: bare.url }
      const played = await inTurns([shot, bareShot], { rounds }, async (one) => onlySoldOut(await runLoad(one)))
      return summary(played.get(shot) ?? [], played.get(bareShot) ?? [])
    } finally {
      await bare.stop()
      system.close()
    }
  } finally {
    await stack.stop()
  }
}

/**
 * A buy request for a sale whose only unit is gone, repeated until the gate answers so from memory.
 */
async function soldOutShot(system: System): Promise<LoadOptions> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const { saleId, startToken } = await openGoodsSale(system.url, control, {
    stock: 1,
    quantity: 1,
    limitPerShopper: 1,
  })
  const send = async (shopperId: string): Promise<{ shot: LoadOptions; isRefusedByGate: boolean }> => {
    const shot: LoadOptions = {
      url: `${system.url}/api/sales/${saleId}/orders`,
      headers: {
        ...sessionHeaders(await system.signIn(shopperId)),
        'content-type': 'application/json',
        origin: system.url,
      },
      body: JSON.stringify({ quantity: 1, startToken }),
      connections,
      seconds: secondsPerRound,
    }
    const { status, headers } = await fetch(shot.url, {
      method: 'POST',
      headers: shot.headers,
      body: shot.body,
    })
    const isOfEdge = headers.get('x-cache')?.startsWith('LambdaGeneratedResponse') ?? false
    return { shot, isRefusedByGate: status === 410 && isOfEdge }
  }
  await send('the-winner')
  for (let tries = 0; tries < 50; tries += 1) {
    const { shot, isRefusedByGate } = await send(`late-${tries}`)
    if (isRefusedByGate) return shot
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the only unit is sold and the gate does not answer sold-out')
}

/** The gate's own answer to the shot. */
async function answerTo(shot: LoadOptions): Promise<BareAnswer> {
  const answer = await fetch(shot.url, { method: 'POST', headers: shot.headers, body: shot.body })
  const written = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !written.has(name)))
  return { status: answer.status, headers, body: await answer.text() }
}

function onlySoldOut(volley: LoadResult): LoadResult {
  const others = Object.keys(volley.statuses).filter((status) => status !== '410')
  if (others.length > 0) throw new Error(`the gate answered ${others.join(', ')} besides sold-out`)
  return volley
}

function summary(gate: LoadResult[], bare: LoadResult[]): Measurement {
  const rate = (volleys: LoadResult[]) => Math.round(median(volleys.map((v) => v.answersPerSecond)))
  const perRound = gate.map((v, i) => v.answersPerSecond / (bare[i]?.answersPerSecond ?? Number.NaN))
  const ratio = median(perRound)
  return {
    name: 'gate',
    lines: [
      atLeast('sold-out answers of the gate ÷ bare node:http', ratio, target, { digits: 2 }),
      { what: 'gate, answers/s', value: `${rate(gate)}` },
      { what: 'bare node:http, answers/s', value: `${rate(bare)}` },
      { what: 'gate, p99 ms', value: `${median(gate.map((v) => v.p99Ms))}` },
      { what: 'bare node:http, p99 ms', value: `${median(bare.map((v) => v.p99Ms))}` },
      { what: 'ratio of each round', value: perRound.map((r) => r.toFixed(2)).join(' ') },
    ],
  }
}
