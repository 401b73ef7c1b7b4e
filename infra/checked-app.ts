/** Creates a CDK app that checks every template at synth, by CloudFormation's rules and those of cdk-nag. */
import { App, type AppProps, Aws, Validations } from 'aws-cdk-lib'
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { AwsSolutionsChecks } from 'cdk-nag'

export function checkedApp(props: AppProps = {}): App {
  const app = new App({
    ...props,
    context: {
      ...recommended,
      // A template that CloudFormation would reject is an error, not a warning.
      '@aws-cdk/core:validateAgainstDefaultRules': true,
      ...props.context,
    },
  })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  return app
}

/** Returns an ARN as cdk-nag writes it in a finding: with the names of values that only CloudFormation knows. */
export function arnInFinding(arn: string): string {
  return arn.replaceAll(Aws.PARTITION, '<AWS::Partition>').replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>')
}
