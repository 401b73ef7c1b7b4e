import { describe, expect, it } from 'vitest'
import { maxShipmentLines, shipmentLines } from '../../../core/api/shipment-lines.ts'
import { maxControlBodyBytes } from '../../../core/body-limits.ts'
import { parse } from '../../../core/lib/parse.ts'
import { trackingUrl } from '../../../core/orders/carriers.ts'
import { parseCarrier, parseTracking } from '../../../core/orders/shipment.ts'
import { orderIdOf, saleIdOf } from '../../redis/support.ts'

describe('the name of a carrier', () => {
  it.each(['DHL', 'Deutsche Post (DHL)', '顺丰速运', 'ヤマト運輸', 'O’Neill & Söhne', 'x'.repeat(32)])(
    'may be %s',
    (name) => {
      expect(parseCarrier(` ${name} `)).toBe(name)
    },
  )

  it.each(['', '   ', '=1+1', '@cmd', '-DHL', '<b>DHL</b>', 'DHL\u0000', 'DHL\nUPS', 'x'.repeat(33), 7, null])(
    'is never %j: a formula, markup, or no name (S2)',
    (name) => {
      expect(parseCarrier(name)).toBeUndefined()
    },
  )
})

describe('a tracking number (N2)', () => {
  it('is letters, digits, dashes and spaces', () => {
    expect(parseTracking(' SF 1234-5678 ')).toBe('SF 1234-5678')
    expect(parseTracking('7'.repeat(64))).toBe('7'.repeat(64))
  })

  it.each(['', '-1', '+1', '=A1', '1"2', '1/2', '1&2', '１２', '<i>', '7'.repeat(65), 12])(
    'is never %j (S2)',
    (text) => {
      expect(parseTracking(text)).toBeUndefined()
    },
  )
})

describe('the link to a shipment', () => {
  it.each([
    ['SF Express', 'www.sf-express.com'],
    ['顺丰速运', 'www.sf-express.com'],
    ['YTO', 'www.yto.net.cn'],
    ['中通快递', 'www.zto.com'],
    ['EMS', 'www.ems.com.cn'],
    ['China Post', 'www.ems.com.cn'],
    ['dhl', 'www.dhl.com'],
    ['UPS', 'www.ups.com'],
    ['FedEx', 'www.fedex.com'],
    ['USPS', 'tools.usps.com'],
    ['Royal Mail', 'www.royalmail.com'],
    ['Yamato', 'jizen.kuronekoyamato.co.jp'],
    ['DPD', 'tracking.dpd.de'],
    ['GLS', 'gls-group.com'],
    ['Hermes', 'www.myhermes.de'],
  ])('of %s leads to %s', (carrier, host) => {
    const url = new URL(trackingUrl({ carrier, tracking: 'AB 12-34' }) ?? '')
    expect([url.protocol, url.host]).toEqual(['https:', host])
    expect(url.href.endsWith('AB1234')).toBe(true)
  })

  it('is absent for a carrier that is not known, and without a number', () => {
    expect(trackingUrl({ carrier: 'Bob’s Bikes', tracking: '1' })).toBeUndefined()
    expect(trackingUrl({ carrier: 'DHL' })).toBeUndefined()
    expect(trackingUrl({ carrier: 'constructor', tracking: '1' })).toBeUndefined()
  })
})

describe('a call with shipments', () => {
  const line = {
    orderId: orderIdOf(saleIdOf('s'.repeat(40)), 1, 1),
    ...{ carrier: '\u4e2d'.repeat(32), tracking: '7'.repeat(64), status: 'delivered' },
  }

  it('fits into the largest body with every text at its limit, however it is escaped', () => {
    const body = JSON.stringify({ lines: Array(maxShipmentLines).fill(line), dryRun: false })
    expect(parse(shipmentLines, JSON.parse(body)).ok).toBe(true)
    const escaped = body.replaceAll('\u4e2d', '\\u4e2d')
    expect(escaped.length).toBeGreaterThan(Buffer.byteLength(body))
    expect(escaped.length).toBeLessThanOrEqual(maxControlBodyBytes)
  })

  it.each([
    [{ lines: [] }, 'lines'],
    [{ lines: Array(maxShipmentLines + 1).fill(line) }, 'lines'],
    [{ lines: [line, { ...line, carrier: '' }] }, 'lines.1.carrier'],
    [{ lines: [{ ...line, tracking: null }] }, 'lines.0.tracking'],
    [{ lines: [{ ...line, status: 'paid' }] }, 'lines.0.status'],
    [{ lines: [{ ...line, orderId: 'x' }] }, 'lines.0.orderId'],
    [{ lines: [{ ...line, at: 1 }] }, 'lines.0.at'],
    [{ lines: [line], dryRun: 1 }, 'dryRun'],
  ])('is refused by the name of what is wrong', (body, field) => {
    expect(parse(shipmentLines, body)).toMatchObject({ ok: false, field })
  })
})
