/** Words of the draw on the page of its sale: what is printed into the page, and what its script says. */
import type { Messages } from '../text.ts'

export const drawEntryMessages = {
  'entry.title': ['Draw', '抽签'],
  'entry.how': [
    'Enter before the close. A public random number decides who can buy: each entry has the same chance, however early it came.',
    '请在截止前报名。结果由公共随机数决定，报名早晚不影响中签机会。',
  ],
  'entry.period': ['Entries', '报名时间'],
  'entry.result': ['Result', '开奖时间'],
  'entry.claim': ['Winners can buy for', '中签后购买时限'],
  'entry.hours': ['{n} {n|hour|hours}', '{n} 小时'],
  'entry.minutes': ['{n} {n|minute|minutes}', '{n} 分钟'],
  'entry.seconds': ['{n} {n|second|seconds}', '{n} 秒'],
  'entry.check': ['Check this draw', '核验本次抽签'],
  'entry.before': ['Entries open in', '距报名开始'],
  'entry.open': ['Entries close in', '距报名截止'],
  'entry.enter': ['Enter the draw', '立即报名'],
  'entry.signIn': ['Sign in to enter', '登录后报名'],
  'entry.group': ['Group name, if friends enter with you', '小组名称（与好友同组时填写）'],
  'entry.groupHint': [
    'Up to {n} friends who type the same name win together or not at all. 6 to 40 letters, digits, - and _. Choose one that others cannot guess.',
    '最多 {n} 位好友填写同一名称，同中同不中。6 至 40 位字母、数字、- 或 _，请勿使用他人容易猜到的名称。',
  ],
  'entry.entered': ['You are in the draw.', '您已报名。'],
  'entry.inGroup': ['You are in the draw, in the group {group}.', '您已报名，所在小组：{group}。'],
  'entry.count': ['{n} {n|entry|entries} at {at}', '截至 {at} 共 {n} 人报名'],
  'entry.receipt': [
    'Keep your receipt. It proves that the shop accepted your entry; this browser keeps a copy.',
    '请保存报名凭证，它可证明商家已接受您的报名。本浏览器已保存一份。',
  ],
  'entry.show': ['Show the receipt', '查看凭证'],
  'entry.save': ['Save the receipt', '保存凭证'],
  'entry.copy': ['Copy', '复制'],
  'entry.copied': ['Copied.', '已复制。'],
  'entry.notCopied': [
    'Your browser did not allow copying. Save the receipt instead.',
    '浏览器不允许复制，请改为保存凭证。',
  ],
  'entry.leave': ['Leave the draw', '退出抽签'],
  'entry.left': [
    'You have left the draw. You can enter again until the close.',
    '您已退出抽签，截止前可重新报名。',
  ],
  'entry.closed': ['Entries are closed. You are not in this draw.', '报名已截止，您未参加本次抽签。'],
  'entry.closedGuest': [
    'Entries are closed. Sign in to see your entry.',
    '报名已截止，登录后可查看您的报名。',
  ],
  'entry.awaited': [
    'Entries are closed, and you are in. The random number comes in',
    '报名已截止，您已成功参加。距随机数产生',
  ],
  'entry.late': ['The result is on its way. This page shows it by itself.', '结果即将公布，本页将自动更新。'],
  'entry.won': ['You won!', '恭喜中签！'],
  'entry.wonMore': [
    'One unit is yours to buy until {until}. Use the button below once the sale is open.',
    '您可在 {until} 前购买 1 件。活动开始后，请点击下方按钮购买。',
  ],
  'entry.wonLeft': ['Time left', '剩余时间'],
  'entry.standby': ['You are on standby', '您在候补中'],
  'entry.rank': ['Your rank is {rank} of {of}.', '您的名次为第 {rank} 位，共 {of} 位。'],
  'entry.next': [
    'You are next: the first unit that comes back is offered to you.',
    '您是候补第一位：一旦有名额退回，将优先给您。',
  ],
  'entry.ahead': [
    '{ahead} {ahead|entry is|entries are} before yours. It is your turn once {needed} of {units} units come back, about {percent} %.',
    '您前面还有 {ahead} 位。当 {units} 件中有 {needed} 件（约 {percent}%）退回时，即轮到您。',
  ],
  'entry.far': [
    '{ahead} entries are before yours, more than there are units. A unit for you is very unlikely.',
    '您前面还有 {ahead} 位，已超过商品总数，轮到您的可能性很小。',
  ],
  'entry.groups': [
    'Groups win together, so your turn comes when enough units are back at once.',
    '小组同中同不中，需有足够名额同时退回才会轮到您。',
  ],
  'entry.then': [
    'Units come back when winners do not buy in time, cancel or return. We offer each to the next rank at once, here and by e-mail if the shop has your address. You need not wait on this page.',
    '中签者逾期未购买、取消或退货时，名额会立即按名次顺延，并在本页及通过邮件（如已留邮箱）通知，无需守候。',
  ],
  'entry.over': [
    'Your offer is over, or you have used it. See your orders.',
    '您的购买资格已使用或已失效，可查看“我的订单”。',
  ],
  'entry.notYet': ['Entries are not open yet.', '报名尚未开始。'],
  'entry.tooLate': ['Entries are closed. Nothing was changed.', '报名已截止，未作任何更改。'],
  'entry.groupFull': [
    'This group is full. Choose another name, or enter alone.',
    '该小组人数已满，请换一个名称或单独报名。',
  ],
  'entry.groupBad': [
    'The name needs 6 to 40 letters, digits, - or _.',
    '名称须为 6 至 40 位字母、数字、- 或 _。',
  ],
  'entry.changesUsed': [
    'This entry was changed too often. It stays as it is.',
    '修改次数已用完，报名信息不再变更。',
  ],
  'entry.level': ['This draw is for members of a higher level.', '您的会员等级未达到本次抽签的要求。'],
  'entry.blocked': ['This account cannot enter. Contact the shop.', '该账户无法报名，请联系商家。'],
  'entry.busy': ['Too many tries. Wait a moment, then try again.', '操作过于频繁，请稍后再试。'],
  'entry.missing': ['The draw is being published. Try again in a minute.', '抽签即将公布，请稍后再试。'],
  'entry.failed': ['That did not work. Try again.', '操作失败，请重试。'],
} as const satisfies Messages
