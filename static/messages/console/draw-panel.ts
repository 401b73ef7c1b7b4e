/** Words of the console for the draw of a sale. */
import type { Messages } from '../text.ts'

export const drawPanelMessages = {
  'drawn.title': ['Draw', '抽签'],
  'drawn.lead': ['Entries, result and standby.', '报名、开奖与候补情况。'],
  'drawn.formLead': [
    'Units are drawn among all who enter, and only winners can buy, one unit each. What a winner does not buy in time goes to the next rank. Up to 6 friends in a group win together or not at all. Left empty: 120 seconds to the result, no groups. Leave all empty to sell first come, first served.',
    '在所有报名者中抽签，仅中签者可购买，每人限购 1 件；逾期未购买的名额顺延给下一位。每组最多 6 人，同中同不中。开奖秒数留空为 120，组员人数留空则不可组队。全部留空则先到先得。',
  ],
  'drawn.start': [
    'The result is known at {at}. The sale cannot start earlier.',
    '抽签结果于 {at} 产生，活动不能早于此时开始。',
  ],
  'drawn.startThen': ['Start the sale then', '将开始时间设为此时'],
  'drawn.loading': ['Loading…', '加载中…'],
  'drawn.check': ['Check this draw', '核验本次抽签'],
  'drawn.state': ['State', '状态'],
  'drawn.state.waiting': ['Rules are published within a minute', '规则将在一分钟内公布'],
  'drawn.state.open': ['Rules are published', '规则已公布'],
  'drawn.state.closed': ['List closed, waiting for the random number', '名单已锁定，等待随机数'],
  'drawn.state.decided': ['Decided', '已开奖'],
  'drawn.state.void': ['Void: the list was closed too late', '无效：名单锁定过晚'],
  'drawn.period': ['Entry period', '报名时间'],
  'drawn.periodOf': ['{opens} to {closes}', '{opens} 至 {closes}'],
  'drawn.entries': ['Entries', '报名人数'],
  'drawn.head': ['Last published list', '最近一次公布名单'],
  'drawn.noHead': ['None yet', '暂无'],
  'drawn.rules': ['Hash of the rules', '规则哈希值'],
  'drawn.round': ['Random number', '随机数'],
  'drawn.roundAt': ['Round {round}, {at}', '第 {round} 轮，{at}'],
  'drawn.offers': ['Offers made', '累计发放资格'],
  'drawn.bought': ['Bought', '已购买'],
  'drawn.open': ['Can still buy', '待购买'],
  'drawn.ended': ['Given back', '已退回'],
  'drawn.standby': ['On standby', '候补人数'],
} as const satisfies Messages
