/** Words of the console for the draw of a sale. */
import type { Messages } from '../text.ts'

export const drawPanelMessages = {
  'drawn.title': ['Draw', '抽签'],
  'drawn.lead': [
    'Entries, result and standby, as your shoppers see them.',
    '报名、开奖与候补情况，与用户所见一致。',
  ],
  'drawn.formLead': [
    'Units are drawn among all who enter. Leave it empty to sell first come, first served.',
    '在所有报名者中抽签决定购买资格。留空则先到先得。',
  ],
  'drawn.start': [
    'The result is known at {at}. The sale cannot start earlier.',
    '抽签结果于 {at} 产生，活动不能早于此时开始。',
  ],
  'drawn.startThen': ['Start the sale then', '将开始时间设为此时'],
  'drawn.loading': ['Loading…', '加载中…'],
  'drawn.check': ['Check this draw', '核验本次抽签'],
  'drawn.state': ['State', '状态'],
  'drawn.state.none': ['Not published yet', '尚未公布'],
  'drawn.state.open': ['Rules and list are published', '规则与名单已公布'],
  'drawn.state.closed': ['List closed, waiting for the random number', '名单已锁定，等待随机数'],
  'drawn.state.drawn': ['Decided', '已开奖'],
  'drawn.period': ['Entry period', '报名时间'],
  'drawn.periodOf': ['{opens} to {closes}', '{opens} 至 {closes}'],
  'drawn.records': ['Records in the list, with changes', '名单记录数（含修改）'],
  'drawn.head': ['Last published list', '最近公布的名单'],
  'drawn.headAt': ['No. {n}, {at}', '第 {n} 次，{at}'],
  'drawn.noHead': ['None yet', '暂无'],
  'drawn.commit': ['Hash of the closed list', '锁定名单的哈希值'],
  'drawn.round': ['Random number', '随机数'],
  'drawn.roundAt': ['Comes at {at}', '将于 {at} 产生'],
  'drawn.offers': ['Offers made', '累计中签'],
  'drawn.returned': ['Given back, and offered to the next rank', '退回并顺延'],
  'drawn.holding': ['Hold a unit or have bought it', '持有资格或已购买'],
} as const satisfies Messages
