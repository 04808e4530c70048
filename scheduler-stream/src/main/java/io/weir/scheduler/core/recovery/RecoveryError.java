package io.weir.scheduler.core.recovery;

/** Why a request to the failure service was refused; the names are those of its interface. */
public enum RecoveryError {
    /** There is no such job. */
    EJOBID,
    /** The caller may not. */
    EPERM,
    /** The job does not run. */
    EJOBNOTRUN,
    /** There is no such node. */
    ENOHOST,
    /** The node has not failed and is not failing. */
    ENODENOTFAIL,
    /** The job has no processors there. */
    ENODENOTINJOB,
    /** The job had no processors there. */
    ENODENOCPU,
    /** The job took all the spares it may. */
    EMAXSPARECOUNT,
    /** A replacement will be there later. */
    EREPLACELATER,
    /** A replacement of another node is awaited. */
    EREPLACEPENDING,
    /** There is no replacement. */
    ENODEREPLACEFAIL,
    /** Nothing failed for which the time limit could be extended. */
    ENOINCREASETIMELIMIT,
    /** More than the balance was asked for. */
    ETIMEOVERLIMIT,
    /** The job could not be changed. */
    EJOBUPDATE,
    /** The node could not be changed. */
    EUPDNODE,
    /** The request makes no sense. */
    ECMD,
    /** The address cannot be used. */
    EPORT,
    /** The failure service is off. */
    ESERVICE
}
