/** Findings of cdk-nag, as it spells them. */
import { Aws } from 'aws-cdk-lib'

/** A resource in the words of a finding: what only CloudFormation knows has its name there. */
export function spelled(arn: string): string {
  return arn.replaceAll(Aws.PARTITION, '<AWS::Partition>').replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>')
}
