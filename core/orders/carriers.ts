/** The tracking page of a carrier. Others are names without a link, so a new one needs no change here. */
import type { Shipment } from './shipment.ts'

/** `names` as a marketer may write them, in lower case; `url` ends where the number follows. */
type Carrier = { names: readonly string[]; url: string }

const carriers: readonly Carrier[] = [
  {
    names: ['sf express', 'sf', '顺丰', '顺丰速运', '顺丰快递'],
    url: 'https://www.sf-express.com/chn/sc/waybill/waybill-detail/',
  },
  { names: ['yto express', 'yto', '圆通', '圆通速递', '圆通快递'], url: 'https://www.yto.net.cn/?billcode=' },
  { names: ['zto express', 'zto', '中通', '中通快递'], url: 'https://www.zto.com/express/expressCheck.html?txtBill=' },
  {
    names: ['ems', 'china post', 'china ems', '中国邮政', '邮政快递', '邮政ems'],
    url: 'https://www.ems.com.cn/queryList?mailNum=',
  },
  { names: ['dhl', 'dhl express'], url: 'https://www.dhl.com/en/express/tracking.html?AWB=' },
  { names: ['ups'], url: 'https://www.ups.com/track?tracknum=' },
  { names: ['fedex'], url: 'https://www.fedex.com/fedextrack/?trknbr=' },
  { names: ['usps'], url: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=' },
  { names: ['royal mail'], url: 'https://www.royalmail.com/track-your-item#/tracking-results/' },
  {
    names: ['yamato', 'yamato transport', 'kuroneko yamato', 'ヤマト運輸', '黑猫宅急便'],
    url: 'https://jizen.kuronekoyamato.co.jp/jizen/servlet/crjz.b.NQ0010?id=',
  },
  { names: ['dpd'], url: 'https://tracking.dpd.de/status/en_US/parcel/' },
  { names: ['gls'], url: 'https://gls-group.com/track/' },
  {
    names: ['hermes', 'evri', 'hermes germany'],
    url: 'https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation#',
  },
]

const urls: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  carriers.flatMap(({ names, url }) => names.map((name) => [name, url] as const)),
)

/** Where the shipment can be followed; undefined without a number, and for an unknown carrier. */
export function trackingUrl({ carrier, tracking }: Shipment): string | undefined {
  const url = urls.get(carrier.toLowerCase())
  if (url === undefined || tracking === undefined) return undefined
  return `${url}${encodeURIComponent(tracking.replaceAll(/[ -]/g, ''))}`
}
