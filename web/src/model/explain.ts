/** Types of explanations and bills, for those who may not know the engine. */
export type {
  Diagnostic,
  Downstream,
  PlanNodeView,
  SinkReport,
  StateBill,
  WhyCard,
  WhyGauge,
  WhyMove,
} from '../engine/api.ts';
