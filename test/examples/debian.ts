/** Programs of Debian without root: the packages are downloaded and unpacked into a folder, and run from there. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './programs.ts'

/**
 * Unpacks packages of the machine's own Debian into `folder`. Its lists of packages are read anew, into a folder of the
 * test, so no earlier `apt-get update` is needed.
 * @throws where there is no `apt-get`, no such package, or no network
 */
export async function unpackDebian(folder: string, packages: readonly string[]): Promise<void> {
  const [state, debs] = [join(folder, 'apt'), join(folder, 'debs')]
  await Promise.all([state, debs].map((path) => mkdir(join(path, 'partial'), { recursive: true })))
  const apt = [`Dir::State=${state}`, `Dir::Cache=${state}`, 'APT::Sandbox::User=', 'Acquire::Languages=none']
  const options = apt.flatMap((option) => ['-o', option])
  await runProgram('apt-get', [...options, 'update'], { cwd: debs })
  await runProgram('apt-get', [...options, 'download', ...packages], { cwd: debs })
  const names = (await readdir(debs)).filter((name) => name.endsWith('.deb'))
  for (const name of names) await runProgram('dpkg', ['-x', name, folder], { cwd: debs })
}
