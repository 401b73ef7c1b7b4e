/** The option of each setting on the command line, and what its help says; the id of a sale is an argument. */
import type { SettingName } from '../../core/sale/settings.ts'

export const settingOptions: Readonly<Record<Exclude<SettingName, 'saleId'>, readonly [flag: string, help: string]>> = {
  title: ['--title <text>', 'title'],
  description: ['--description <text>', 'description on the page'],
  pictures: [
    '--picture <picture>',
    'https URL or site path, a space, and what the picture shows in words; up to 8 times',
  ],
  'translations.en.title': ['--title-en <text>', 'title for readers of English; “none” for the title of the sale'],
  'translations.en.description': [
    '--description-en <text>',
    'description for readers of English; “none” for that of the sale',
  ],
  'translations.zh-CN.title': ['--title-zh <text>', 'title for readers of Chinese; “none” for the title of the sale'],
  'translations.zh-CN.description': [
    '--description-zh <text>',
    'description for readers of Chinese; “none” for that of the sale',
  ],
  'packets.count': ['--packets <number>', 'red packets: how many (instead of --stock)'],
  'packets.totalAmount': ['--total <amount>', 'red packets: total amount, such as 5000.00'],
  price: ['--price <amount>', 'price per unit, such as 0.10; none for coupons and red packets'],
  listPrice: ['--list-price <amount>', 'regular price per unit, shown struck through; “none” for no such price'],
  stock: ['--stock <units>', 'units in stock, -1 for unlimited'],
  currency: ['--currency <code>', 'ISO 4217 code, such as CNY'],
  shards: ['--shards <number>', 'databases to split the stock over, for more requests per second'],
  startsAt: ['--starts <time>', 'start time: +90s, +5m, or ISO 8601 with a time zone'],
  endsAt: ['--ends <time>', 'end time: +2h, or ISO 8601 with a time zone'],
  timeZone: ['--time-zone <zone>', 'zone in which its times are shown too, such as Europe/Berlin; “none” for none'],
  'coupons.validFrom': ['--valid-from <time>', 'coupons: valid from; “none” for at once'],
  'coupons.validUntil': ['--valid-until <time>', 'coupons: valid until; “none” for no end'],
  limitPerShopper: ['--limit <units>', 'limit per person (default for a new sale: 1)'],
  maxPerOrder: ['--max-per-order <units>', 'limit per order (default for a new sale: 1)'],
  paymentWindowSeconds: ['--pay-within <seconds>', 'payment time limit in seconds'],
  paymentGraceSeconds: ['--pay-grace <seconds>', 'extra seconds for a payment in progress'],
  'delivery.countries': [
    '--countries <codes>',
    'ask for a delivery address in one of these countries, such as CN,DE; “none” for no address',
  ],
  'delivery.costs': ['--delivery-costs <costs>', 'delivery cost by country, such as DE=4.90,AT=9.90; “none” for none'],
  'delivery.freeAbove': [
    '--delivery-free-above <amount>',
    'free delivery from this amount of goods on; “none” for none',
  ],
  checkoutUrl: ['--checkout-url <url>', 'pay in the checkout of the shop at this address; “none” to pay here'],
  supportRefundLimit: [
    '--support-refund-limit <amount>',
    'largest amount of an order that support may cancel or refund, such as 50.00',
  ],
  'earlyAccess.minutes': [
    '--early-minutes <minutes>',
    'minutes in which only members may buy; “none” for no early access',
  ],
  'earlyAccess.minLevel': [
    '--early-level <level>',
    'early access: for members of this level and above; “none” for no level',
  ],
  'earlyAccess.list': [
    '--early-list <on|only>',
    'early access: “on” for the shoppers on the list of the sale; “only” if no others may buy at all; “none” for no list',
  ],
  'draw.opensAt': ['--draw-opens <time>', 'draw the units: first entry; “none” for no draw'],
  'draw.closesAt': ['--draw-closes <time>', 'draw: last entry'],
  'draw.commitSeconds': [
    '--draw-commit <seconds>',
    'draw: seconds from the close to the number that decides (default: 120)',
  ],
  'draw.claimSeconds': [
    '--draw-claim <seconds>',
    'draw: seconds for which a winner may buy, before the unit goes to the next rank',
  ],
  'draw.mostInGroup': [
    '--draw-group <shoppers>',
    'draw: the most friends who win together or not at all (default: 1, no groups)',
  ],
  'draw.series': [
    '--draw-series <name>',
    'draw: who lost the last five draws of this series has a try more for each; “none” for no series',
  ],
  'draw.odds': ['--draw-odds <text>', 'draw: what its rules say of the chances; “none” for no such text'],
  'draw.prizeValue': [
    '--draw-prize-value <amount>',
    'draw: what a unit is worth, where the law asks for it; “none” for no value',
  ],
  'standby.joinSeconds': [
    '--standby-join <seconds>',
    'standby list: seconds for which shoppers may join once the sale has sold out; “none” for no list',
  ],
  'standby.claimSeconds': [
    '--standby-claim <seconds>',
    'standby list: seconds for which an offer is kept, before the unit goes to the next rank',
  ],
  'standby.rank': [
    '--standby-rank <joined>',
    'standby list: “joined” if who joined earlier comes first; “none” for ranks at random',
  ],
  admissionRatio: ['--admission-ratio <number>', 'clicks admitted per unit, such as 1.2'],
  minLevel: ['--min-level <level>', 'minimum member level'],
  challenge: [
    '--challenge <off|pow|turnstile>',
    'bot check: off, pow (proof of work), or turnstile (Cloudflare Turnstile)',
  ],
  requirePass: ['--require-pass <on|off>', 'refuse clicks without a pass before any function starts: on or off'],
  spreadSeconds: [
    '--spread <seconds>',
    'seconds after the start over which shoppers get their turn at random, 0 for none',
  ],
  admitPerSecond: [
    '--admit-per-second <requests>',
    'clicks admitted in a second (default: 2000 for each database of the stock)',
  ],
  allowedOrigins: [
    '--origins <origins>',
    'pages of other sites that may sell it, such as https://shop.example,https://www.shop.example; “none” for none',
  ],
  'throttle.perShopper': ['--throttle-shopper <requests/seconds>', 'limit per shopper, such as 5/60'],
  'throttle.perIp': ['--throttle-ip <requests/seconds>', 'limit per IP address in points, such as 3000/60'],
}
