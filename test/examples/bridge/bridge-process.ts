/** The bridge as a process that a play can kill, with a clock that runs faster. */
import { startBridge } from '../../../examples/bridge/bridge.js'
import { readConfig } from '../../../examples/bridge/config.js'
import { fastClock } from './emulation.ts'

const [given = '', speed = '', startedAt = ''] = process.argv.slice(2)
const { config, secrets } = readConfig(JSON.parse(given), process.env)
await startBridge(config, secrets, {
  clock: fastClock(Number(speed), Number(startedAt)),
  log: (line) => console.log(line),
  fail: (failure) => {
    console.error(failure)
    process.exit(1)
  },
})
console.log('ready')
