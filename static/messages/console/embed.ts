/** Words of the console for the two tags that put a sale on a page of another site. */
import type { Messages } from '../text.ts'

export const embedMessages = {
  'embed.title': ['Put it on your site', '嵌入您的网站'],
  'embed.text': ['Two tags sell this sale on a page of your own.', '只需两个标签，即可在自有网站上销售。'],
  'embed.tags': ['The two tags', '嵌入代码'],
  'embed.place': ['For an editor that removes unknown tags', '适用于会过滤自定义标签的编辑器'],
  'embed.copy': ['Copy', '复制'],
  'embed.copied': ['Copied', '已复制'],
  'embed.copyByHand': [
    'Your browser blocked copying. The code is selected: copy it by hand.',
    '浏览器不支持自动复制，已为您选中代码，请手动复制。',
  ],
  'embed.none': [
    'No website may sell it yet: on other pages the button is a link to the page of this sale.',
    '尚未添加可嵌入销售的网站，其他网站上的按钮仅跳转至本活动页面。',
  ],
  'embed.edit': ['Change the websites', '修改网站'],
  'embed.token': [
    'At /sale-token your site answers with a token of the customer who is signed in there. How, and how to change the look, is in the documentation: docs/how-to/embed.md and docs/how-to/customers.md.',
    '/sale-token 由您的网站提供，返回已登录顾客的令牌。实现方式与外观设置请参阅文档 docs/how-to/embed.md 和 docs/how-to/customers.md。',
  ],
} as const satisfies Messages
