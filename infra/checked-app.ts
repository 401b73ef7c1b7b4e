/** A CDK app whose every template is checked before anything is deployed: by CloudFormation's rules and those of cdk-nag. */
import { App, type AppProps, Validations } from 'aws-cdk-lib'
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { AwsSolutionsChecks } from 'cdk-nag'

export function checkedApp(props: AppProps = {}): App {
  const app = new App({
    ...props,
    context: {
      ...recommended,
      // What CloudFormation would refuse is an error and no warning.
      '@aws-cdk/core:validateAgainstDefaultRules': true,
      ...props.context,
    },
  })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  return app
}
