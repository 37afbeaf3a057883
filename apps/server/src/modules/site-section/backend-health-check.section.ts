import { defineSection } from './section.ts';

export const backendHealthCheckSection = defineSection('backend_health_check', {
  publish: (value) => (value.enabled ? { backend_health_check: value } : {}),
});
