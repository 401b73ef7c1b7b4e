/**
 * The words of the elements, in English and Simplified Chinese. Keys that the catalogue of the shop's pages has
 * (`static/messages/`) have its words; a test compares them.
 */
type Text = readonly [english: string, chinese: string]

export const words = {
  'clock.startsIn': ['Starts in', '距开始'],
  'clock.anyMoment': ['Any moment now', '马上开始'],
  'time.d': ['d', '天'],
  'stock.left': ['{remaining} left', '剩余 {remaining} 件'],
  'button.loading': ['Loading…', '加载中…'],
  'button.ready': ['Buy now', '立即抢购'],
  'button.early': ['Not started yet', '尚未开始'],
  'button.sign-in': ['Sign in to buy', '登录后购买'],
  'button.again': ['Try again', '再试一次'],
  'button.sending': ['Submitting…', '提交中…'],
  'button.won': ['You got it', '已抢到'],
  'button.paused': ['Paused', '已暂停'],
  'button.held-back': ['Checking stock', '库存核对中'],
  'button.sold-out': ['Sold out', '已抢完'],
  'button.ended': ['Ended', '已结束'],
  'button.draft': ['Coming soon', '敬请期待'],
  'button.owned': ['View order', '查看订单'],
  'button.toPage': ['Buy on the shop’s page', '前往商城购买'],
  'status.got': ['You got it!', '抢到了！'],
  'status.sending': ['Submitting your order…', '正在为您抢购…'],
  'status.unsure': [
    'We couldn’t confirm the result. Try again: it never creates a second order.',
    '暂时无法确认结果，请再试一次，不会重复下单。',
  ],
  'status.gone': [
    'Your earlier order is no longer valid. You can order again.',
    '您之前的订单已失效，可以重新抢购。',
  ],
  'status.offline': ['Can’t connect. Trying again…', '网络异常，正在重试…'],
  'status.onPage': [
    'This sale asks for more than a click. Continue on its page.',
    '本活动需要更多信息，请前往商城页面继续。',
  ],
  'order.pay': ['Pay {amount}', '付款 {amount}'],
  'order.payIn': ['Time left to pay', '剩余付款时间'],
  'order.status.paid': ['Paid', '已付款'],
  'order.status.fulfilled': ['Completed', '已完成'],
  'problem.not-started': [
    'Not started yet. The button lights up by itself when it opens.',
    '活动还未开始，到点后按钮会自动亮起。',
  ],
  'problem.not-your-turn': [
    'Not your turn yet. Try again in {seconds} s.',
    '还未轮到您，请 {seconds} 秒后再试。',
  ],
  'problem.limit-reached': ['You’ve reached the limit per person.', '您已达到每人限购数量。'],
  'problem.too-many-requests': [
    'Too many attempts. Try again in {seconds} s.',
    '操作过于频繁，请 {seconds} 秒后再试。',
  ],
  'problem.at-capacity': [
    'Many people are trying right now. Places may still open up: try again in {seconds} s.',
    '当前抢购人数过多，可能仍有名额释放，请 {seconds} 秒后再试。',
  ],
  'problem.sign-in-required': ['Please sign in first.', '请先登录。'],
  'problem.level-too-low': [
    'This sale is for invited members, or for those of a higher level.',
    '本活动仅限受邀或更高等级的会员参与。',
  ],
  'problem.blocked': [
    'This account or network can’t buy here. If this is a mistake, contact the shop.',
    '当前账号或网络暂时无法购买。如有疑问，请联系商家。',
  ],
  'problem.origin-not-allowed': [
    'This website may not sell it. Buy on the shop’s page.',
    '当前网站不能销售此商品，请前往商城购买。',
  ],
  'problem.unavailable': ['We’re very busy. Please try again in a moment.', '当前访问人数较多，请稍后再试。'],
} as const satisfies Readonly<Record<string, Text>>

export type Key = keyof typeof words

export const isKey = (key: string): key is Key => Object.hasOwn(words, key)

export type Language = 'en' | 'zh-CN'

/** The words of `key`, with `{name}` replaced by that argument. */
export function say(
  language: Language,
  key: Key,
  args: Readonly<Record<string, string | number>> = {},
): string {
  const [english, chinese] = words[key]
  const pattern = language === 'en' ? english : chinese
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole))
}
