/** A schedule on the command line: `--every-day 9,10,11,12` and the options that complete it. */
import type { Command } from 'commander'
import { Temporal } from 'temporal-polyfill'
import { type Day, readDay, readTimesOfDay, windowTimes } from '../../core/sale/schedule.ts'

/** The options of a schedule, by their names without dashes. */
export type ScheduleFlags = {
  everyDay?: string
  from?: string
  days?: string
  lasts?: string
  zone?: string
}

export function withSchedule(command: Command): Command {
  return command
    .option(
      '--every-day <times>',
      'windows at these times of each day, such as 9,10,11:30, instead of --starts and --ends; each has the units of --stock, of each --variant, or of --packets and --total',
    )
    .option('--from <day>', 'first day of the schedule, such as 2026-12-01')
    .option('--days <number>', 'days of the schedule')
    .option('--lasts <minutes>', 'how long each window of the schedule lasts')
    .option('--zone <name>', 'time zone of the schedule, such as Asia/Shanghai (default: that of this machine)')
}

/**
 * When each window of the schedule starts and ends, epoch ms; undefined without `--every-day`.
 * @throws RangeError for an option that is missing, cannot be read, or needs `--every-day`
 */
export function readSchedule(flags: ScheduleFlags): { startsAt: number; endsAt: number }[] | undefined {
  const { everyDay, from, days, lasts, zone = Temporal.Now.timeZoneId() } = flags
  if (everyDay === undefined) {
    const stray = (['from', 'days', 'lasts', 'zone'] as const).find((name) => flags[name] !== undefined)
    if (stray !== undefined) throw new RangeError(`--${stray} is part of a schedule: add --every-day`)
    return undefined
  }
  const times = readTimesOfDay(everyDay)
  if (times === undefined) throw new RangeError(`"${everyDay}" is not a list of times: use 9,10,11:30`)
  const firstDay = readDay(from ?? '')
  if (firstDay === undefined) throw new RangeError('--from must be the first day, such as 2026-12-01')
  const schedule = { firstDay, times, days: count('days', days), minutes: count('lasts', lasts) }
  return windowTimes(schedule, timesIn(zone))
}

function count(name: string, text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,4}$/.test(text)) {
    throw new RangeError(`--${name} must be a whole number from 1`)
  }
  return Number(text)
}

function timesIn(zone: string) {
  return (firstDay: Day, offset: number, minuteOfDay: number): number => {
    const date = Temporal.PlainDate.from(firstDay).add({ days: offset })
    const time = Temporal.PlainTime.from({ hour: Math.floor(minuteOfDay / 60), minute: minuteOfDay % 60 })
    try {
      return date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds
    } catch (cause) {
      throw new RangeError(`--zone: "${zone}" is not a time zone such as Asia/Shanghai`, { cause })
    }
  }
}
