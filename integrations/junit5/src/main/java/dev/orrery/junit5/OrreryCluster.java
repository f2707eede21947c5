package dev.orrery.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starts a cluster for the tests of a class; their parameters of type {@link RunningCluster} are that cluster. */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OrreryExtension.class)
public @interface OrreryCluster {
  int nodes() default 3;

  /** {@code memory}: one process; {@code grpc} and {@code websocket}: one for each node. */
  String transport() default "memory";

  /** Node settings, each {@code key=value}. */
  String[] settings() default {};

  /** The orrery command; empty: where the README says. */
  String command() default "";
}
