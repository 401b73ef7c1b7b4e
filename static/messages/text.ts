/** The shape of every catalogue: one key, its English and its Simplified Chinese words side by side. */

export type Text = readonly [english: string, chinese: string]
export type Messages = Readonly<Record<string, Text>>

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

export type Arguments = Readonly<Record<string, string | number>>

/** The words of `text` in `language`, with `{name}` replaced by that argument; a name without one stays visible. */
export function words([english, chinese]: Text, language: Language, args: Arguments = {}): string {
  const pattern = language === 'en' ? english : chinese
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole))
}
