/** What each fault of a draw is, and what it means (docs/reference/draw.md, "Faults"). */
import type { Messages } from '../text.ts'

export const drawFaultMessages = {
  'fault.rules-unreadable': [
    'The rules are missing or unreadable. Nothing else can be checked without them.',
    '抽签规则缺失或无法读取，其余内容均无从核验。',
  ],
  'fault.rules-changed': [
    'The rules are not those that this browser saw before. Rules that change after the first entry can favour someone.',
    '抽签规则与本浏览器此前看到的不同。报名开始后更改规则，可能偏袒某些人。',
  ],
  'fault.rules-round': [
    'The rules name another random number than the one that follows from the close. The shop could have chosen a number that it knew.',
    '规则指定的随机数与按截止时间推算的不符，商家可能选用了已知的随机数。',
  ],
  'fault.head-missing': [
    'The signed list of entries is missing. Nothing shows who took part.',
    '缺少已签名的报名名单，无法得知参与者。',
  ],
  'fault.head-unreadable': [
    'A signed statement about the list is unreadable. What it stated cannot be compared.',
    '有一条名单签名记录无法读取，其内容无法比对。',
  ],
  'fault.head-signature': [
    'A statement about the list is not signed by the shop. Someone has changed it.',
    '有一条名单记录的签名无效，内容已被改动。',
  ],
  'fault.head-other-draw': [
    'A statement about the list belongs to another draw, so it does not bind the shop here.',
    '有一条名单记录属于其他抽签，对本次抽签没有约束力。',
  ],
  'fault.head-chain': [
    'The statements about the list do not follow one another. One was left out or replaced.',
    '名单记录前后不衔接，有记录被删除或替换。',
  ],
  'fault.head-order': [
    'The list became shorter, or was changed after it was closed.',
    '名单曾变短，或在截止后被修改。',
  ],
  'fault.head-late': [
    'The list was closed too late: the random number may have been known by then.',
    '名单锁定过晚，当时随机数可能已为人所知。',
  ],
  'fault.head-replaced': [
    'This browser saw another list earlier. The shop has replaced what it published.',
    '本浏览器此前看到的名单与现在不同，商家替换了已公布的内容。',
  ],
  'fault.tile-missing': [
    'A part of the list is missing or has the wrong length. The entries in it cannot be checked.',
    '名单有部分缺失或长度不符，其中的报名无法核验。',
  ],
  'fault.record-unreadable': [
    'An entry in the list is not as the rules allow, so its rank cannot be computed.',
    '名单中有一条报名不符合规则，无法计算其名次。',
  ],
  'fault.record-order': [
    'Entries of the list are not in their fixed order. The shop must not choose the order.',
    '名单中的报名未按固定顺序排列，商家不得自行安排顺序。',
  ],
  'fault.root-wrong': [
    'The list is not the one that the shop signed. Entries were added, removed or changed.',
    '名单与商家签名的不一致，有报名被添加、删除或修改。',
  ],
  'fault.tile-roots-wrong': [
    'The table of contents of the list is wrong. Proofs made from it would fail.',
    '名单的分段哈希值有误，据此生成的证明将无法通过。',
  ],
  'fault.receipt-unreadable': [
    'This is not a receipt, or a part of it is missing. Paste the whole line.',
    '这不是报名凭证，或内容不完整，请粘贴整行内容。',
  ],
  'fault.receipt-other-draw': [
    'This receipt is of another draw. It says nothing about this one.',
    '该凭证属于其他抽签，与本次抽签无关。',
  ],
  'fault.receipt-signature': [
    'This receipt is not signed by the shop, so it proves nothing.',
    '该凭证并非由商家签名，不具证明力。',
  ],
  'fault.receipt-excluded': [
    'The list leaves out an entry that the shop had accepted: a receipt proves it.',
    '名单遗漏了商家已接受的报名，报名凭证可以证明。',
  ],
  'fault.group-too-large': [
    'A group has more members than the rules allow. It takes more units at once than a group may.',
    '有小组的人数超过规则上限，一次占用的名额过多。',
  ],
  'fault.earlier-wrong': [
    'An earlier draw of this series is wrong, so the extra tries that follow from it are unsure.',
    '本系列的往期抽签有误，由此得出的额外抽签次数不可信。',
  ],
  'fault.tries-wrong': [
    'An entry has other tries than it earned in earlier draws. It had a better or a worse chance than it should.',
    '有报名的抽签次数与往期抽签不符，其中签机会被抬高或降低。',
  ],
  'fault.beacon-unreadable': [
    'The random number is unreadable, so no rank can be computed.',
    '随机数无法读取，无法计算名次。',
  ],
  'fault.beacon-round': [
    'The random number is that of another time than the rules say. The shop may have picked it.',
    '所用随机数不是规则指定的那一轮，可能经商家挑选。',
  ],
  'fault.beacon-randomness': [
    'The random number does not follow from its signature. Someone has changed it.',
    '随机数与其签名不符，已被改动。',
  ],
  'fault.beacon-signature': [
    'The random number is not signed by its public source. Anyone could have made it up.',
    '随机数未经其公共来源签名，可能是编造的。',
  ],
  'fault.step-unreadable': [
    'A signed statement about the winners is unreadable. What follows it cannot be checked.',
    '有一条中签签名记录无法读取，其后的内容无法核验。',
  ],
  'fault.step-signature': [
    'A statement about the winners is not signed by the shop. Someone has changed it.',
    '有一条中签记录的签名无效，内容已被改动。',
  ],
  'fault.step-other-draw': [
    'A statement about the winners belongs to another draw.',
    '有一条中签记录属于其他抽签。',
  ],
  'fault.step-chain': [
    'The statements about the winners do not follow one another. One was left out or replaced.',
    '中签记录前后不衔接，有记录被删除或替换。',
  ],
  'fault.step-order': [
    'The times of the statements about the winners are out of order.',
    '中签记录的时间顺序有误。',
  ],
  'fault.step-replaced': [
    'This browser saw other winners earlier. The shop has replaced what it published.',
    '本浏览器此前看到的中签记录与现在不同，商家替换了已公布的内容。',
  ],
  'fault.step-event': [
    'A unit came back from an entry that held none, or of a variant that the draw does not have.',
    '有名额从未中签者处退回，或其规格不在本次抽签中。',
  ],
  'fault.step-early': [
    'An offer ended before its time was over. A winner had less time than the rules give.',
    '有中签资格提前失效，中签者的购买时间少于规则规定。',
  ],
  'fault.offers-wrong': [
    'The winners are not those that follow from the ranks. Someone was passed over or preferred.',
    '中签者与名次推算结果不符，有人被跳过或被优待。',
  ],
  'fault.threshold-wrong': [
    'The published score of the last winner is not the one that follows from the ranks.',
    '公布的末位中签得分与名次推算结果不符。',
  ],
} as const satisfies Messages
