/** Words of the console for early access: members may buy before all others. */
import type { Messages } from '../text.ts'

export const earlyMessages = {
  'early.minutes': ['Early access for members (minutes)', '会员优先购（分钟）'],
  'early.minutesHint': [
    'Only members can buy for this long after the start of each round. Leave this empty for no early access, or no end of it.',
    '每场开始后的这段时间内，仅会员可购买。不设优先购或全程仅限会员时留空。',
  ],
  'early.level': ['Early access from level', '优先购最低等级'],
  'early.levelHint': [
    'Members of this level and above buy early. Leave this empty if only the list counts.',
    '达到该等级的会员可优先购买。仅按名单开放时无需填写。',
  ],
  'early.list': ['Early access by list', '优先购名单'],
  'early.listHint': [
    'Add shoppers to the list on the page of the sale, once it is saved.',
    '保存活动后，可在活动页面添加名单。',
  ],
  'early.listOff': ['No list', '不使用名单'],
  'early.listOn': ['Shoppers on the list buy early', '名单内的用户可优先购买'],
  'early.listOnly': ['Only shoppers on the list can buy', '仅名单内的用户可购买'],
  'early.shopper': ['Shopper ID', '用户 ID'],
  'audit.what.early': ['Changed the early access list', '修改优先购名单'],
  'audit.field.invited': ['Added to the early access list', '加入优先购名单'],
  'audit.field.invitations': ['Invitations', '邀请码'],
  'audit.field.uninvited': ['Removed from the early access list', '移出优先购名单'],
  'error.earlyMinutes': [
    'Use 1 to {max} minutes, fewer than the shortest round has. Leave it empty where only the list can buy.',
    '请输入 1 到 {max} 分钟，且须短于最短的一场。仅名单内可购买时留空。',
  ],
  'error.earlyWho': ['Set a level, or choose the list.', '请填写等级，或选择使用名单。'],
} as const satisfies Messages
