/** Tracking pages of carriers. A shipment by another carrier has the link that the marketer enters, or none. */
import type { Shipment } from './shipment.ts'

/** `names` are matched in any case. The tracking number follows `url`. */
type Carrier = { names: readonly string[]; url: string }

const carriers: readonly Carrier[] = [
  {
    names: ['SF Express', 'SF', '顺丰', '顺丰速运', '顺丰快递'],
    url: 'https://www.sf-express.com/chn/sc/waybill/waybill-detail/',
  },
  { names: ['YTO Express', 'YTO', '圆通', '圆通速递', '圆通快递'], url: 'https://www.yto.net.cn/?billcode=' },
  { names: ['ZTO Express', 'ZTO', '中通', '中通快递'], url: 'https://www.zto.com/express/expressCheck.html?txtBill=' },
  {
    names: ['EMS', 'China Post', 'China EMS', '中国邮政', '邮政快递', '邮政EMS'],
    url: 'https://www.ems.com.cn/queryList?mailNum=',
  },
  { names: ['DHL', 'DHL Express'], url: 'https://www.dhl.com/en/express/tracking.html?AWB=' },
  { names: ['UPS'], url: 'https://www.ups.com/track?tracknum=' },
  { names: ['FedEx'], url: 'https://www.fedex.com/fedextrack/?trknbr=' },
  { names: ['USPS'], url: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=' },
  { names: ['Royal Mail'], url: 'https://www.royalmail.com/track-your-item#/tracking-results/' },
  {
    names: ['Yamato', 'Yamato Transport', 'Kuroneko Yamato', 'ヤマト運輸', '黑猫宅急便'],
    url: 'https://jizen.kuronekoyamato.co.jp/jizen/servlet/crjz.b.NQ0010?id=',
  },
  { names: ['DPD'], url: 'https://tracking.dpd.de/status/en_US/parcel/' },
  { names: ['GLS'], url: 'https://gls-group.com/track/' },
  {
    names: ['Hermes', 'Evri', 'Hermes Germany'],
    url: 'https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation#',
  },
]

const urls: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  carriers.flatMap(({ names, url }) => names.map((name) => [name.toLowerCase(), url] as const)),
)

export const carrierNames: readonly string[] = /* @__PURE__ */ carriers.flatMap(({ names }) => names)

/** Returns the tracking page; undefined without a link if the carrier is unknown or there is no number. */
export function trackingUrl({ carrier, tracking, link }: Shipment): string | undefined {
  if (link !== undefined) return link
  const url = urls.get(carrier.toLowerCase())
  if (url === undefined || tracking === undefined) return undefined
  return `${url}${encodeURIComponent(tracking.replaceAll(/[ -]/g, ''))}`
}
