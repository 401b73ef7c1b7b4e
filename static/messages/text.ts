/**
 * The shape of every catalogue: one key, its English and its Simplified Chinese words side by side.
 */

import type { Language } from '../../core/language.ts'

export type Text = readonly [english: string, chinese: string]
export type Messages = Readonly<Record<string, Text>>

export type Arguments = Readonly<Record<string, string | number>>

/**
 * The words of `text` in `language`. `{name}` becomes that argument, `{name|unit|units}` the first
 * word when the argument is 1 and the second otherwise; a name without an argument stays visible.
 */
export function words([english, chinese]: Text, language: Language, args: Arguments = {}): string {
  const pattern = language === 'en' ? english : chinese
  return pattern.replace(
    /\{(\w+)(?:\|(\w+)\|(\w+))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = args[name]
      if (value === undefined) return whole
      if (one === undefined || many === undefined) return String(value)
      return String(value) === '1' ? one : many
    },
  )
}

/** The texts of a catalogue in one language, as they are before their values are put in. */
export function patternsIn(messages: Messages, language: Language): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, [english, chinese]]) => [key, language === 'en' ? english : chinese]),
  )
}
