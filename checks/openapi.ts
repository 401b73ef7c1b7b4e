/** The description of the API against the recommended rules of a linter of OpenAPI. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describeApi } from '../static/api/openapi.ts'
import type { Finding } from './finding.ts'

export async function checkOpenApi(): Promise<Finding[]> {
  const source = JSON.stringify(describeApi('0.0.0'))
  // A browser that signs in is always led on, with 303.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ message, ruleId, location: [at] }) => ({
    ...{ file: 'static/api/openapi.ts', line: 1 },
    what: `${at?.pointer ?? ''} ${message} (${ruleId})`,
  }))
}
