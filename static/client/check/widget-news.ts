/** What the frame with Turnstile's widget and the sale page say to each other. */

/**
 * To the frame: what the widget is rendered with. All of them but the reader's language are the
 * shop's answer.
 */
export type WidgetTerms = { siteKey: string; action: string; cData: string; language: string }

/**
 * From the frame. `shown`: the widget runs. `asks`: it wants the shopper to do something. `failed`:
 * another widget may do better. `token`: it passed.
 */
export type WidgetNews = 'shown' | 'asks' | 'failed' | { token: string }
