/** Words of the console for the two tags that put a sale on a page of another site. */
import type { Messages } from '../text.ts'

export const embedMessages = {
  'embed.title': ['Put it on your site', '嵌入您的网站'],
  'embed.lead': ['Two tags sell this sale on a page of your own.', '只需两个标签，即可在自有网站上销售。'],
  'embed.kind': ['Element', '组件'],
  'embed.kind.sale': ['Card', '卡片'],
  'embed.kind.button': ['Button alone', '仅按钮'],
  'embed.preview': ['Preview', '预览'],
  'embed.previewText': [
    'How customers of your site see it now. It sells nothing here.',
    '您网站的顾客当前看到的效果，此处不可购买。',
  ],
  'embed.previewMissing': ['The preview could not be loaded.', '预览加载失败。'],
  'embed.accent': ['Button', '按钮颜色'],
  'embed.accentText': ['Text of the button', '按钮文字颜色'],
  'embed.surface': ['Background', '背景颜色'],
  'embed.text': ['Text', '文字颜色'],
  'embed.radius': ['Radius of corners, px', '圆角半径（像素）'],
  'embed.usual': [
    'Leave a field empty for the usual look, on light and on dark screens.',
    '留空则使用默认样式，自动适配浅色与深色模式。',
  ],
  'embed.wrongColour': ['Enter a colour such as #0b6e4f.', '请填写颜色值，例如 #0b6e4f。'],
  'embed.wrongRadius': ['Enter a whole number from 0 to 40.', '请填写 0 到 40 的整数。'],
  'embed.contrast': [
    'Lowest contrast of its texts, on light and dark screens: {ratio}:1.',
    '浅色和深色模式下，文字最低对比度为 {ratio}:1。',
  ],
  'embed.contrastLow': [
    'Lowest contrast of its texts, on light and dark screens: {ratio}:1. Below 4.5:1 it is hard to read: also set the colour beside it.',
    '浅色和深色模式下，文字最低对比度为 {ratio}:1，低于 4.5:1 不易辨认，请同时设置搭配的颜色。',
  ],
  'embed.style': ['For the style sheet of your site', '网站样式表代码'],
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
