/** Words of the example split of red packets, in the form of a sale. */
import type { Messages } from '../text.ts'

export const splitMessages = {
  'split.title': ['Example split', '拆分示例'],
  'split.text': [
    'These examples are drawn in your browser. The real split is drawn in secret when you schedule or open the sale, and nobody sees an amount before it is grabbed.',
    '以下示例由浏览器随机生成。实际金额在定时或开启时随机拆分并保密，抢到之前无人知晓。',
  ],
  'split.empty': [
    'Enter the number of red packets and the total amount to see an example.',
    '填写红包个数和总金额后，这里会显示拆分示例。',
  ],
  'split.again': ['Another example', '换一组示例'],
  'split.which': ['Show', '显示'],
  'split.all': ['All rounds', '全部场次'],
  'split.min': ['Smallest', '最小值'],
  'split.median': ['Median', '中位数'],
  'split.mean': ['Average', '平均值'],
  'split.max': ['Largest', '最大值'],
  'split.bar': ['{from} to {to}: {n} red {n|packet|packets}', '{from} 至 {to}：{n} 个'],
  'split.summary': [
    '{n} red {n|packet|packets} from {min} to {max}; half hold {median} or less.',
    '共 {n} 个红包，金额从 {min} 到 {max}，其中一半不超过 {median}。',
  ],
} as const satisfies Messages
