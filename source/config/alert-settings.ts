import type { AlertSettings } from '../store/alert-rules/rule.ts';
import type { ConfigFile } from './config-file.ts';
import type { ServiceChoice } from './service-target.ts';

/** Returns the alert rules and quiet hours of a service: those of its profile, else those of the file. */
export function alertSettingsOf(
  choice: ServiceChoice,
  { alerts }: Pick<ConfigFile, 'alerts'>,
): AlertSettings {
  const own = choice.kind === 'address' ? undefined : choice.profile?.alerts;
  return { rules: own?.rules ?? alerts.rules, quiet: own?.quiet ?? alerts.quiet };
}
