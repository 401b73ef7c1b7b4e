/** Words of the page that checks a draw. */
import type { DrawFault } from '../../../core/draw/check-draw.ts'
import { sharedMessages } from '../shared.ts'
import type { Messages } from '../text.ts'
import { drawFaultMessages } from './faults.ts'

/** Each fault has words. */
type FaultKey = `fault.${DrawFault}`

export const drawCheckMessages = {
  ...sharedMessages,
  ...(drawFaultMessages satisfies Record<FaultKey, unknown>),
  'verify.pageTitle': ['Check a draw', '抽签核验'],
  'verify.title': ['Check this draw', '核验本次抽签'],
  'verify.lead': [
    'Your browser computes the whole draw again from the files that the shop published, and compares every step.',
    '您的浏览器将根据商家公布的文件重新计算整个抽签过程，并逐项比对。',
  ],
  'verify.sale': ['Sale', '活动编号'],
  'verify.saleHint': [
    'The part behind /sales/ in the address of the sale.',
    '活动网址中 /sales/ 后面的部分。',
  ],
  'verify.open': ['Check', '开始核验'],
  'verify.again': ['Check again', '重新核验'],
  'verify.stop': ['Cancel', '取消'],
  'verify.working': ['Checking… {percent} %', '正在核验… {percent}%'],
  'verify.loading': ['Loading the rules…', '正在加载抽签规则…'],
  'verify.large': [
    'The list has {records} entries. To check it, this device downloads {megabytes} MB.',
    '名单共有 {records} 条记录，核验需下载约 {megabytes} MB 数据。',
  ],
  'verify.largeGo': ['Download and check', '下载并核验'],
  'verify.stopped': ['The check was cancelled.', '核验已取消。'],
  'verify.none': ['No draw is published here', '此处没有已公布的抽签'],
  'verify.noneMore': [
    'The sale {sale} has no draw, or its rules are not published yet.',
    '活动 {sale} 没有抽签，或其规则尚未公布。',
  ],
  'verify.network': ['A file could not be loaded', '有文件无法加载'],
  'verify.networkMore': [
    'This says nothing about the draw. Check your connection, then try again.',
    '这不说明抽签有问题。请检查网络后重试。',
  ],
  'verify.memory': ['The list is too large for this device', '名单过大，本设备无法处理'],
  'verify.memoryMore': [
    'This says nothing about the draw. Check it on a computer, or with the program below.',
    '这不说明抽签有问题。请改用电脑，或使用下方的程序核验。',
  ],
  'verify.insecure': ['This browser can’t check signatures', '当前浏览器无法验证签名'],
  'verify.insecureMore': [
    'Open this page with an address that begins with https.',
    '请使用以 https 开头的网址打开本页。',
  ],
  'verdict.true': ['This draw is as published', '抽签结果真实无误'],
  'verdict.trueMore': [
    'The winners follow from the rules, the list and the random number, and from nothing else. All signatures fit.',
    '中签结果完全由规则、名单和随机数推算得出，所有签名均有效。',
  ],
  'verdict.false': ['This draw is not true', '抽签结果有误'],
  'verdict.falseMore': [
    'Keep what this page shows, and ask the shop for an explanation.',
    '请保存本页内容，并要求商家作出解释。',
  ],
  'verdict.open': ['No fault so far: entries are open', '暂未发现问题：报名进行中'],
  'verdict.openMore': [
    'The list grows until {closes}. The random number comes at {round}. Check again then.',
    '名单将持续更新至 {closes}，随机数将于 {round} 产生，届时请再次核验。',
  ],
  'verdict.closed': ['No fault so far: waiting for the random number', '暂未发现问题：等待随机数'],
  'verdict.closedMore': [
    'The list is final. The random number that decides comes at {round}.',
    '名单已锁定，决定结果的随机数将于 {round} 产生。',
  ],
  'verdict.local': [
    'For trial only: the shop made the random number itself. A draw like this one proves nothing.',
    '仅供试用：随机数由商家自行生成，此类抽签不具证明力。',
  ],
  'fault.title': ['What is wrong', '问题详情'],
  'facts.title': ['What follows from the files', '核验明细'],
  'facts.entries': ['Entries', '报名人数'],
  'facts.list': ['Records in the list, with changes', '名单记录数（含修改）'],
  'facts.root': ['Hash of the list', '名单哈希值'],
  'facts.rules': ['Hash of the rules', '规则哈希值'],
  'facts.opens': ['Entry period', '报名时间'],
  'facts.openUntil': ['{opens} to {closes}', '{opens} 至 {closes}'],
  'facts.units': ['Units', '件数'],
  'facts.unitsOf': ['{id}: {units}', '{id}：{units} 件'],
  'facts.claim': ['Time to buy after winning', '中签后的购买时限'],
  'facts.hours': ['{n} {n|hour|hours}', '{n} 小时'],
  'facts.minutes': ['{n} {n|minute|minutes}', '{n} 分钟'],
  'facts.seconds': ['{n} {n|second|seconds}', '{n} 秒'],
  'facts.group': ['Friends in a group', '小组人数上限'],
  'facts.tries': ['Most tries of an entry', '单人最多抽签次数'],
  'facts.beacon': ['Random number', '随机数'],
  'facts.drand': [
    'drand round {round}, {at}: made by a public network of independent organisations',
    'drand 第 {round} 轮，{at}：由多家独立机构组成的公共网络产生',
  ],
  'facts.local': ['round {round} of the shop itself, {at}', '商家自行产生的第 {round} 轮，{at}'],
  'facts.offers': ['Winners so far', '累计中签人数'],
  'facts.holding': ['Hold a unit now', '当前持有购买资格'],
  'facts.waiting': ['On standby', '候补人数'],
  'facts.threshold': ['Score of the last winner', '末位中签得分'],
  'facts.winners': ['Save the list of winners (CSV)', '保存中签名单（CSV）'],
  'own.title': ['Your entry', '我的报名'],
  'own.lead': [
    'A receipt is the proof that the shop accepted an entry. Without it no check can tell which entry is yours.',
    '报名凭证用于证明商家已接受您的报名。没有凭证，无法辨认哪一条是您的报名。',
  ],
  'own.kept': [
    'This browser keeps {n} {n|receipt|receipts} of this draw, and has checked {n|it|them}.',
    '本浏览器保存了 {n} 份本次抽签的凭证，已一并核验。',
  ],
  'own.paste': ['Paste a receipt', '粘贴报名凭证'],
  'own.check': ['Check the receipt', '核验凭证'],
  'own.listed': ['Your entry is in the list.', '您的报名已在名单中。'],
  'own.rank': [
    'Your entry is in the list: rank {rank} of {of}.',
    '您的报名已在名单中：第 {rank} 位，共 {of} 位。',
  ],
  'own.held': ['You won a unit.', '您已中签。'],
  'own.heldOf': ['You won a unit of {variant}.', '您已中签：{variant}。'],
  'own.returned': ['You won a unit, and it was given back.', '您曾中签，但名额已退回。'],
  'own.ahead': [
    'You are on standby: {ahead} {ahead|place|places} still wait before yours.',
    '您在候补中：您前面还有 {ahead} 位。',
  ],
  'own.next': ['You are the next on standby.', '您是候补第一位。'],
  'own.left': ['You have left this draw.', '您已退出本次抽签。'],
  'own.pending': [
    'Your entry is not in the list yet. New entries join it with the next head, within an hour.',
    '您的报名尚未列入名单。新报名将在一小时内随下一次公布列入。',
  ],
  'own.excluded': [
    'Your entry is NOT in the list, and your receipt proves that the shop accepted it.',
    '您的报名不在名单中，而您的凭证证明商家已接受该报名。',
  ],
  'own.excludedMore': [
    'Save your receipt and the address of this page. Send both to the shop, and to a consumer body if it does not answer. Any reader can check them.',
    '请保存凭证和本页网址，一并发给商家；如未获答复，可向消费者保护机构投诉。任何人都可以据此核验。',
  ],
  'limit.title': ['What this does not prove', '本核验不能证明的事项'],
  'limit.lead': [
    'A true draw is one whose winners were not chosen by anyone. Some questions stay open:',
    '核验通过只说明无人操控中签结果，以下问题仍需留意：',
  ],
  'limit.invented': ['Invented entrants.', '虚构报名者。'],
  'limit.inventedMore': [
    'The list has no names, so the shop could enter people who do not exist. What counters it: the list is published each hour, so its growth can be watched, and the checks at the entry keep others from doing it.',
    '名单不含姓名，商家可能混入不存在的人。应对方式：名单每小时公布一次，增长情况可供监督；报名环节的校验可防止他人批量报名。',
  ],
  'limit.left': ['Who left.', '退出者。'],
  'limit.leftMore': [
    'The list shows that an entrant left, not that the entrant asked for it. Who did not leave has the receipt of the entry, and none of leaving.',
    '名单只显示某人已退出，不能证明是其本人要求。未退出者持有报名凭证，而没有退出凭证。',
  ],
  'limit.head': ['When the list was closed.', '名单何时锁定。'],
  'limit.headMore': [
    'The shop signs that time itself. A browser that looked at this page before the random number keeps what it saw, and reports a list that was replaced.',
    '锁定时间由商家自行签署。在随机数产生前打开过本页的浏览器会留存当时的名单，如被替换即可发现。',
  ],
  'limit.delivered': ['What was delivered.', '实际发货。'],
  'limit.deliveredMore': [
    'The files say who may buy, not who bought, nor what arrived.',
    '文件只说明谁有购买资格，不说明谁已购买或收到商品。',
  ],
  'limit.page': ['This page.', '本页面。'],
  'limit.pageMore': [
    'It comes from the shop as well. The files are specified openly, so a program from elsewhere can check them, too. Their address:',
    '本页面同样由商家提供。文件格式公开，也可使用第三方程序核验。文件地址：',
  ],
} as const satisfies Messages
